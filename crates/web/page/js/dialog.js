// Dialogs: the browser's own, so that focus, Escape and screen readers work as everywhere.

import { button, h, iconButton } from "./dom.js";
import { t } from "./texts.js";

/** Opens a dialog with a title; `build(close)` gives its content. Returns the element. */
export function openDialog(title, build, { wide = false } = {}) {
  for (const other of document.querySelectorAll("dialog[open]")) other.close();
  const dialog = h("dialog", { class: wide ? "wide" : "", "aria-label": title });
  const close = () => dialog.close();
  dialog.append(
    h("header", {}, h("h2", {}, title), iconButton("close", t("do.close"), close)),
    ...[build(close)].flat(),
  );
  dialog.onclose = () => dialog.remove();
  // A click beside it closes it.
  dialog.onpointerdown = (event) => event.target === dialog && outside(dialog, event) && close();
  document.body.append(dialog);
  dialog.showModal();
  // The first thing to choose, rather than the button that closes.
  dialog.querySelector("input:checked, input[type=search], textarea, form button, li button")?.focus();
  return dialog;
}

function outside(dialog, event) {
  const box = dialog.getBoundingClientRect();
  return (
    event.clientX < box.left ||
    event.clientX > box.right ||
    event.clientY < box.top ||
    event.clientY > box.bottom
  );
}

/** Asks for a yes. */
export function confirmation(question, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const dialog = openDialog(question, (close) =>
      h(
        "div",
        { class: "buttons end" },
        button(t("do.cancel"), close),
        button(
          yes,
          () => {
            answer = true;
            close();
          },
          "primary",
        ),
      ),
    );
    dialog.addEventListener("close", () => resolve(answer));
  });
}

/** A group of choices of which one holds, as a row of buttons: radio buttons underneath. */
export function choices(name, label, options, chosen, onchange) {
  const group = h("fieldset", { class: "choices" }, h("legend", {}, label));
  const row = h("div", { class: "segments" });
  for (const [value, text] of options) {
    const input = h("input", { type: "radio", name, value, ".checked": value === chosen });
    input.onchange = () => onchange(value);
    row.append(h("label", {}, input, h("span", {}, text)));
  }
  group.append(row);
  return group;
}

/** A labelled select. */
export function select(label, options, chosen, onchange) {
  const element = h(
    "select",
    {},
    options.map(([value, text]) => h("option", { value, ".selected": value === chosen }, text)),
  );
  element.onchange = () => onchange(element.value);
  return h("label", { class: "field" }, h("span", {}, label), element);
}
