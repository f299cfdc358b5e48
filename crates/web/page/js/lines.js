// A line of moves that can be walked: each move is a button, and pointing at one shows the position it
// leads to.

import { miniBoard } from "./board.js";
import { h } from "./dom.js";
import { moveText } from "./graph.js";
import { ask, send } from "./sitting.js";
import { valueElement } from "./value.js";

const PREVIEW_AFTER_MS = 120;

const bubble = h("div", { class: "preview", hidden: true });
let timer = 0;

/** The small board beside the pointer; it belongs to the page, not to a line. */
export const previewBubble = bubble;

/**
 * A row for a line from a node: `from` gives the node when it is needed. With `enter` a click plays the line
 * up to there.
 */
export function lineElement(line, from, { live = false, value = true } = {}) {
  const moves = line.moves.map((move, place) => {
    const element = h("button", { type: "button", class: "line-move" }, moveText(move));
    const part = line.moves.slice(0, place + 1);
    element.onclick = () => {
      hide();
      send({ type: "enter", node: from(), moves: part });
    };
    element.onpointerenter = (event) => event.pointerType !== "touch" && preview(element, from(), part);
    element.onfocus = () => element.matches(":focus-visible") && preview(element, from(), part);
    element.onpointerleave = hide;
    element.onblur = hide;
    return element;
  });
  return h(
    "div",
    { class: "line" },
    value ? valueElement(line.value, live) : null,
    h("span", { class: "line-moves" }, moves),
  );
}

function hide() {
  clearTimeout(timer);
  bubble.hidden = true;
}

function preview(element, node, moves) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const answer = await ask({ type: "preview", node, moves }).catch(() => null);
    if (!answer || !element.isConnected || !element.matches(":hover, :focus")) return;
    bubble.replaceChildren(miniBoard(answer.position, answer.last));
    bubble.hidden = false;
    const box = element.getBoundingClientRect();
    const size = bubble.offsetWidth;
    const below = box.bottom + 8 + size < innerHeight;
    bubble.style.top = `${below ? box.bottom + 8 : box.top - size - 8}px`;
    bubble.style.left = `${Math.max(8, Math.min(box.left, innerWidth - size - 8))}px`;
  }, PREVIEW_AFTER_MS);
}
