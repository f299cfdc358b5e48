// Light, dark, or as the system is. Loaded before anything is drawn, so that nothing flashes.

const THEMES = ["auto", "light", "dark"];

/** The theme chosen. */
export function theme() {
  return document.documentElement.dataset.theme ?? "auto";
}

/** Chooses the next one. */
export function nextTheme() {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
  localStorage.setItem("obverse.theme", JSON.stringify(next));
  apply(next);
}

function apply(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}

try {
  apply(JSON.parse(localStorage.getItem("obverse.theme")) ?? "auto");
} catch {
  // No storage, no choice: as the system is.
}
