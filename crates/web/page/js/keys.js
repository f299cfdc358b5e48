// The keyboard: everything has a key, and a list of them.

import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { model } from "./model.js";
import { send } from "./sitting.js";
import { t } from "./texts.js";

const LIST = [
  ["← →", "arrows"],
  ["↑ ↓", "ends"],
  ["Shift + ← →", "mistakes"],
  ["Space", "space"],
  ["R", "r"],
  ["H", "h"],
  ["U", "u"],
  ["N", "n"],
  ["V", "v"],
  ["S", "s"],
  ["F", "f"],
  ["E", "e"],
  ["B", "b"],
  ["1 2 3", "tabs"],
  ["?", "help"],
];

export function openKeys() {
  openDialog(t("keys.title"), () =>
    h(
      "dl",
      { class: "keys" },
      LIST.flatMap(([keys, name]) => [
        h(
          "dt",
          {},
          keys.split(" ").map((key) => (key === "+" ? " + " : h("kbd", {}, key))),
        ),
        h("dd", {}, t(`keys.${name}`)),
      ]),
    ),
  );
}

/** Listens; `does` has a function for each letter. */
export function listenForKeys(does) {
  // A click on the table takes the focus away but gives it to nothing: the next key is for the game, not once
  // more for the button. A square chosen with the keyboard keeps it.
  addEventListener("mousedown", (event) => {
    if (!event.target.closest?.("main button, main [role=gridcell]")) return;
    event.preventDefault();
    if (!document.activeElement?.matches("[role=gridcell]")) document.activeElement?.blur();
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    const { key } = event;
    // Right after a dialog was closed the focus may still be in it, but the key is for the game.
    const target = event.target.closest?.("dialog:not([open])") ? document.body : event.target;
    if (target.closest?.("input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select"))
      return;
    const own = target.closest?.("button, a, summary, input, [role=switch], [role=tab]");
    const walked = walkFor(event);
    if (walked && !own?.matches("input, [role=tab]")) send({ type: "walk", to: walked });
    else if (key === " " && !own) does[" "]();
    else if (does[key.toLowerCase()] && key !== " ") does[key.toLowerCase()]();
    else return;
    event.preventDefault();
  });
}

function walkFor({ key, shiftKey }) {
  if (!model.state) return null;
  if (shiftKey) return { ArrowLeft: "previous-mistake", ArrowRight: "next-mistake" }[key] ?? null;
  return (
    {
      ArrowLeft: "back",
      ArrowRight: "forward",
      ArrowUp: "first",
      ArrowDown: "last",
      Home: "first",
      End: "last",
    }[key] ?? null
  );
}
