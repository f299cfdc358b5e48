// A value and how sure it is, drawn the same way everywhere: on squares, in lines, lists and cards.
// Proven has a tick and is bold; selective says its percentage; an estimate says its depth and is light; a
// number that is still being worked on is slanted.

import { h } from "./dom.js";
import { signed, spoken, t } from "./texts.js";

/** The number. */
export function discs(value) {
  return signed(value.discs, value.kind !== "estimate");
}

/** How sure, in a few characters. */
export function sureness(value) {
  if (value.kind === "proven") return "✓";
  return value.kind === "selective" ? `${value.percent}%` : `d${value.depth}`;
}

/** How sure, in words. */
export function surenessText(value) {
  return t(`value.${value.kind}`, value);
}

/** The classes that give a value its look. */
export function look(value, live) {
  return `value ${value.kind}${live && value.kind !== "proven" ? " live" : ""}`;
}

/** A value as an element. */
export function valueElement(value, live = false) {
  return h(
    "span",
    { class: look(value, live), title: surenessText(value) },
    h("b", {}, discs(value)),
    h("small", {}, sureness(value)),
  );
}

/** A value for somebody who listens. */
export function valueSpoken(value) {
  return `${spoken(value.discs)}, ${surenessText(value)}`;
}

/** The same value seen from the other side. */
export function turned(value) {
  return { ...value, discs: -value.discs };
}

/** Which of the five steps of the scale a loss is on. */
export function lossStep(loss) {
  return [0.5, 2, 4, 10].filter((bound) => loss >= bound).length;
}
