// What the browser keeps, so that nothing is lost: the sitting of this tab, the text it can be made from,
// the games before it, and the person's choices.

const RECENT_MAX = 12;

function read(storage, key) {
  try {
    return storage.getItem(`obverse.${key}`);
  } catch {
    return null; // Storage may be switched off; the app works without it.
  }
}

function store(storage, key, text) {
  try {
    if (text === null) storage.removeItem(`obverse.${key}`);
    else storage.setItem(`obverse.${key}`, text);
  } catch {
    // Full or switched off: the program still keeps the sitting for a while.
  }
}

/** A choice of the person, kept for the next visit. */
export function choice(name, otherwise) {
  const text = read(localStorage, name);
  try {
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function choose(name, value) {
  store(localStorage, name, JSON.stringify(value));
}

/** The same for this tab alone. */
export function tabChoice(name, otherwise) {
  return read(sessionStorage, name) ?? otherwise;
}

export function chooseForTab(name, value) {
  store(sessionStorage, name, value);
}

/** The sitting of this tab, and the text it can be made from again. */
export function sitting() {
  return {
    sitting: read(sessionStorage, "sitting"),
    saved: read(sessionStorage, "saved") ?? read(localStorage, "saved"),
  };
}

export function keepSitting(name) {
  store(sessionStorage, "sitting", name);
}

/** Keeps the text for this tab, and for the next tab that is opened. */
export function keepSaved(text) {
  store(sessionStorage, "saved", text);
  store(localStorage, "saved", text);
}

/** Makes the next `hello` begin from another text, or from nothing. */
export function moveTo(text) {
  store(sessionStorage, "sitting", null);
  store(sessionStorage, "saved", text);
}

/** Games that were on the board before: `[{ text, title, time }]`, newest first. */
export function recent() {
  return choice("recent", []);
}

/** Puts the game that leaves the board among them. */
export function remember(title) {
  const { saved } = sitting();
  if (!saved) return;
  const others = recent().filter((game) => game.text !== saved);
  choose("recent", [{ text: saved, title, time: Date.now() }, ...others].slice(0, RECENT_MAX));
}
