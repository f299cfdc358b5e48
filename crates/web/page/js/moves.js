// The list of moves: two columns, the loss beside each mistake, variations indented and foldable, passes
// and the names of openings where they belong.

import { button, h, iconButton, set, show } from "./dom.js";
import { moveText, round } from "./graph.js";
import { model, watch } from "./model.js";
import { send } from "./sitting.js";
import { openingName, t } from "./texts.js";

export class MoveList {
  #folded = new Set();
  #buttons = new Map();
  #shape = "";

  constructor() {
    this.list = h("div", { class: "moves" });
    this.header = h("p", { class: "quiet" });
    this.opening = h("p", { class: "opening" });
    this.promote = button(
      t("moves.promote"),
      () => send({ type: "promote", node: model.state.node }),
      "small",
    );
    this.remove = button(t("moves.delete"), () => send({ type: "delete", node: model.state.node }), "small");
    this.actions = h(
      "div",
      { class: "actions", role: "group", "aria-label": t("moves.actions") },
      this.promote,
      this.remove,
    );
    this.element = h(
      "section",
      { class: "move-list", "aria-label": t("moves.title") },
      this.header,
      this.opening,
      this.list,
      this.actions,
    );
    this.list.onclick = (event) => {
      const id = event.target.closest("[data-node]")?.dataset.node;
      if (id !== undefined) send({ type: "goto", node: Number(id) });
    };
    watch("tree", () => this.#build());
    watch("state tree review", () => this.#mark());
  }

  /** Builds the list anew; only the tree of moves changes its shape. */
  #build() {
    const shape = JSON.stringify([
      [...model.tree.nodes.values()].map(({ id, parent, children }) => [id, parent, children]),
      [...this.#folded],
    ]);
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#buttons.clear();
    const root = model.tree.nodes.get(model.tree.main[0]);
    const children = [];
    if (root) this.#mainLine(root, children);
    this.list.replaceChildren(
      ...(children.length > 0 ? children : [h("p", { class: "quiet" }, t("moves.none"))]),
    );
  }

  #mainLine(root, into) {
    let row = null;
    let node = root;
    const newRow = () => {
      row = { number: h("span", { class: "move-number" }), black: null, white: null };
    };
    const flush = () => {
      if (!row) return;
      const blank = () => h("span", { class: "blank" });
      into.push(h("div", { class: "move-row" }, row.number, row.black ?? blank(), row.white ?? blank()));
      row = null;
    };
    while (node.children.length > 0) {
      const next = model.tree.nodes.get(node.children[0]);
      if (!row || row[next.side] || (next.side === "black" && row.white)) {
        flush();
        newRow();
      }
      row[next.side] = this.#move(next);
      // The number of the first disc in the row; a pass has none of its own.
      if (next.move !== "pass" && row.number.textContent === "") row.number.textContent = String(next.number);
      const others = node.children.slice(1);
      if (others.length > 0 || next.comment) {
        flush();
        if (next.comment) into.push(h("p", { class: "comment" }, next.comment));
        for (const id of others) into.push(this.#variation(model.tree.nodes.get(id), 1));
      }
      node = next;
    }
    flush();
  }

  #variation(first, depth) {
    const body = h("div", { class: "variation-moves" });
    const inner = [];
    let node = first;
    for (;;) {
      if (node === first || node.side === "black")
        body.append(h("span", { class: "move-number" }, `${node.number}.`));
      body.append(this.#move(node));
      if (node.comment) body.append(h("span", { class: "comment" }, node.comment));
      if (node.children.length === 0) break;
      for (const id of node.children.slice(1))
        inner.push(this.#variation(model.tree.nodes.get(id), depth + 1));
      node = model.tree.nodes.get(node.children[0]);
    }
    const fold = h("button", {
      type: "button",
      class: "fold",
      "aria-expanded": "true",
      "aria-label": `${t("moves.variation")} ${first.number} ${moveText(first.move)}`,
    });
    const element = h(
      "div",
      { class: "variation" },
      fold,
      h("div", { class: "variation-body" }, body, inner),
    );
    const draw = () => {
      const folded = this.#folded.has(first.id);
      set(fold, "aria-expanded", String(!folded));
      element.classList.toggle("folded", folded);
    };
    fold.onclick = () => {
      if (!this.#folded.delete(first.id)) this.#folded.add(first.id);
      draw();
    };
    draw();
    return element;
  }

  #move(node) {
    const element = h(
      "button",
      { type: "button", class: "move", "data-node": node.id },
      h("span", { class: "move-text" }, moveText(node.move)),
      h("span", { class: "move-loss" }),
    );
    this.#buttons.set(node.id, element);
    return element;
  }

  #mark() {
    const { state, review, tree } = model;
    if (!state) return;
    for (const [id, element] of this.#buttons) {
      const judged = review?.moves.get(id);
      const fault = judged?.fault;
      set(element, "class", `move ${fault ?? ""}${tree.nodes.get(id)?.move === "pass" ? " pass" : ""}`);
      const loss = judged && judged.loss >= 1 ? `−${round(judged.loss)}` : "";
      const label = fault ? `${loss} ${{ mistake: "?", blunder: "??" }[fault]}` : loss;
      if (element.lastChild.textContent !== label) element.lastChild.textContent = label;
      const here = id === state.node;
      set(element, "aria-current", here ? "true" : null);
      if (here && this.#here !== id) keepInView(element);
    }
    this.#here = state.node;
    const node = tree.nodes.get(state.node);
    const header = new Map(state.game.header);
    const origin = ["Event", "Site", "Round", "Date"]
      .map((name) => header.get(name))
      .filter(Boolean)
      .join(" · ");
    show(this.header, origin !== "");
    this.header.textContent = origin;
    show(this.opening, !!state.opening);
    if (state.opening) this.opening.textContent = openingName(state.opening);
    show(this.actions, !!node && !node.main);
  }

  #here = null;
}

/** Scrolls the list, and nothing else, until the element can be seen. */
function keepInView(element) {
  const list = element.closest(".scrolls");
  if (!list) return;
  const box = element.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (box.top < frame.top) list.scrollTop -= frame.top - box.top + 8;
  else if (box.bottom > frame.bottom) list.scrollTop += box.bottom - frame.bottom + 8;
}

/** The buttons that go from mistake to mistake. */
export function mistakeButtons() {
  const walk = (to) => () => send({ type: "walk", to });
  return [
    iconButton("back", t("review.previous"), walk("previous-mistake"), "Shift ←"),
    iconButton("forward", t("review.next"), walk("next-mistake"), "Shift →"),
  ];
}
