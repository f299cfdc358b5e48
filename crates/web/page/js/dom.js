// Building and updating the DOM, with nothing that a strict Content-Security-Policy forbids.

const SVG = "http://www.w3.org/2000/svg";

/** Makes an HTML element: `h("button", { class: "primary", onclick }, "Play")`. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) set(element, name, value);
  element.append(
    ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Makes an SVG element. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets an attribute, a listener (`on…`) or a property (`.value`); touches nothing that is so already. */
export function set(element, name, value) {
  if (name.startsWith("on")) {
    element[name] = value;
  } else if (name.startsWith(".")) {
    if (element[name.slice(1)] !== value) element[name.slice(1)] = value;
  } else if (value === false || value === null || value === undefined) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** Sets the text of an element if it is another one. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows or hides an element; the attribute, because SVG has no such property. */
export function show(element, visible) {
  set(element, "hidden", !visible);
}

/** Enables or disables a button; a disabled one keeps the focus, so that the focus never jumps. */
export function enable(button, enabled) {
  set(button, "aria-disabled", enabled ? null : "true");
}

/** Whether a button may be pressed. */
export function enabled(button) {
  return button.getAttribute("aria-disabled") !== "true";
}

/**
 * Makes the children of `parent` one for each item, in order, keeping those whose key is the same: focus,
 * scrolling and animations stay where they are.
 */
export function sync(parent, items, keyOf, make, update) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let child = old.get(key);
    if (child) {
      old.delete(key);
    } else {
      child = make(item);
      child.dataset.key = key;
    }
    if (child === place) {
      place = place.nextElementSibling;
    } else {
      parent.insertBefore(child, place);
    }
    update?.(child, item);
  }
  for (const child of old.values()) child.remove();
}

/** A button with a drawn icon; the label is for everybody who cannot see or does not know the icon. */
export function iconButton(name, label, onclick, keys) {
  const button = h(
    "button",
    { type: "button", class: "icon", "aria-label": label, title: keys ? `${label} (${keys})` : label },
    icon(name),
  );
  button.onclick = (event) => enabled(button) && onclick(event);
  return button;
}

/** A button with words. */
export function button(label, onclick, kind = "") {
  const element = h("button", { type: "button", class: kind }, label);
  element.onclick = (event) => enabled(element) && onclick(event);
  return element;
}

/** An icon from the table below, drawn on 24 × 24 with strokes. */
export function icon(name) {
  const drawing = s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" });
  for (const path of ICONS[name]) drawing.append(s("path", { d: path }));
  return drawing;
}

const ICONS = {
  first: ["M18 5l-8 7 8 7z", "M6 5v14"],
  back: ["M16 5l-9 7 9 7z"],
  forward: ["M8 5l9 7-9 7z"],
  last: ["M6 5l8 7-8 7z", "M18 5v14"],
  undo: ["M9 6l-5 5 5 5", "M4 11h10a4 4 0 0 1 0 8h-3"],
  hint: [
    "M9 18h6",
    "M10 21h4",
    "M12 3a6 6 0 0 0-3.6 10.8c.7.6 1 1.2 1.1 2.2h5c.1-1 .4-1.6 1.1-2.2A6 6 0 0 0 12 3z",
  ],
  swap: ["M7 4v15", "M3 15l4 4 4-4", "M17 20V5", "M13 9l4-4 4 4"],
  menu: ["M4 6h16", "M4 12h16", "M4 18h16"],
  plus: ["M12 5v14", "M5 12h14"],
  open: ["M4 19V5h6l2 3h8v11z"],
  share: ["M12 15V4", "M8 8l4-4 4 4", "M5 13v7h14v-7"],
  sun: [
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
    "M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  ],
  moon: ["M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z"],
  auto: ["M12 3a9 9 0 1 0 0 18z", "M12 3a9 9 0 0 1 0 18"],
  close: ["M6 6l12 12", "M18 6L6 18"],
  play: ["M8 5l11 7-11 7z"],
  pause: ["M8 5v14", "M16 5v14"],
  up: ["M6 15l6-6 6 6"],
  copy: ["M9 9h11v11H9z", "M5 15H4V4h11v1"],
  save: ["M12 4v11", "M8 11l4 4 4-4", "M5 20h14"],
  flag: ["M6 21V4", "M6 5h12l-3 4 3 4H6"],
  edit: ["M4 20l1-5L16 4l4 4L9 19z"],
  search: ["M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12z", "M16 16l4 4"],
  gear: [
    "M4 7h9M17 7h3M4 17h3M11 17h9",
    "M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
    "M9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  ],
  keyboard: ["M3 7h18v11H3z", "M7 11h.01M11 11h.01M15 11h.01M8 15h8"],
};
