// The course of the game: Black's advantage up. What is proven is solid and filled, what is estimated is
// lighter; a dot on each mistake, as large as what it cost. Clicked or dragged, it walks through the game.

import { h, s, set, show } from "./dom.js";
import { model, watch } from "./model.js";
import { send } from "./sitting.js";
import { signed, t } from "./texts.js";
import { surenessText, valueElement } from "./value.js";

const EDGE = { left: 34, right: 12, top: 8, bottom: 8 };
const SCALES = [8, 16, 32, 64];
const SURENESS = { proven: 2, selective: 1, estimate: 0 };

export class Graph {
  #width = 0;
  #height = 0;
  #wanted = null;

  constructor() {
    this.drawing = s("svg", { "aria-hidden": "true" });
    this.empty = h("p", { class: "graph-empty" }, h("span", {}, t("graph.empty")));
    this.card = h("div", { class: "card", hidden: true });
    this.track = h(
      "div",
      {
        class: "graph-track",
        role: "slider",
        tabindex: "0",
        "aria-label": t("app.graph"),
        "aria-valuemin": 0,
        "aria-valuemax": 0,
        "aria-valuenow": 0,
      },
      this.drawing,
    );
    this.element = h(
      "section",
      { class: "graph", "aria-label": t("app.graph") },
      this.track,
      this.empty,
      this.card,
    );
    new ResizeObserver(([entry]) => {
      this.#width = entry.contentRect.width;
      this.#height = entry.contentRect.height;
      this.draw();
    }).observe(this.track);
    this.track.onpointerdown = (event) => {
      this.track.setPointerCapture(event.pointerId);
      this.#goto(event);
    };
    this.track.onpointermove = (event) => {
      if (event.buttons & 1) this.#goto(event);
      this.#showCard(this.#placeAt(event));
    };
    this.track.onpointerleave = () => show(this.card, false);
    watch("state tree review analysis tab", () => this.draw());
  }

  /** The places of the main line with their values, as far as they may be seen. */
  #points() {
    const { tree, review, seen, state } = model;
    const hidden = state?.game.status === "going" && model.analysis?.status === "off" && !review;
    return tree.main.map((id, place) => {
      const judged = review?.moves.get(id);
      const values = [judged?.black, hidden ? undefined : seen.get(id)].filter(Boolean);
      values.sort((a, b) => SURENESS[b.kind] - SURENESS[a.kind]);
      return { id, place, judged, value: values[0] };
    });
  }

  draw() {
    if (!model.state || this.#width === 0) return;
    const points = this.#points();
    const { size } = model.state.position;
    const last = Math.max(size * size - 4, points.length - 1);
    const reach = Math.max(0, ...points.map(({ value }) => Math.abs(value?.discs ?? 0)));
    const scale = SCALES.find((discs) => discs >= reach) ?? 64;
    const wide = this.#width - EDGE.left - EDGE.right;
    const high = this.#height - EDGE.top - EDGE.bottom;
    this.x = (place) => EDGE.left + (place / last) * wide;
    this.y = (discs) => EDGE.top + (0.5 - discs / scale / 2) * high;
    this.points = points;
    this.last = last;
    set(this.drawing, "viewBox", `0 0 ${this.#width} ${this.#height}`);
    this.drawing.replaceChildren(
      ...this.#axes(scale),
      ...this.#course(points),
      ...this.#mistakes(points),
      ...this.#cursor(),
    );
    show(this.empty, !points.some(({ value }) => value));
    const place = this.#placeHere();
    set(this.track, "aria-valuemax", points.length - 1);
    set(this.track, "aria-valuenow", place);
    set(this.track, "aria-valuetext", this.#describe(points[place]));
  }

  #axes(scale) {
    const line = (discs, name) =>
      s("path", { class: name, d: `M${EDGE.left} ${this.y(discs)}H${this.#width - EDGE.right}` });
    const label = (discs) =>
      s("text", { x: EDGE.left - 6, y: this.y(discs) + 4, class: "axis" }, signed(discs, true));
    const tens = [];
    for (let place = 10; place < this.last; place += 10) {
      tens.push(
        s("path", { class: "tens", d: `M${this.x(place)} ${EDGE.top}V${this.#height - EDGE.bottom}` }),
      );
    }
    // In a low graph there is room for two labels.
    const empty = !this.points.some(({ value }) => value);
    const labels = empty ? [] : this.#height < 70 ? [scale / 2, -scale / 2] : [scale / 2, 0, -scale / 2];
    return [
      ...tens,
      line(scale / 2, "grid"),
      line(-scale / 2, "grid"),
      line(0, "zero"),
      ...labels.map(label),
    ];
  }

  /** Runs of one sureness, each one path: an area clipped at zero for either side, and a line. */
  #course(points) {
    const known = points.filter(({ value }) => value);
    const runs = [];
    for (let place = 1; place < known.length; place++) {
      const [from, to] = [known[place - 1], known[place]];
      const kind = SURENESS[from.value.kind] < SURENESS[to.value.kind] ? from.value.kind : to.value.kind;
      if (runs.at(-1)?.kind === kind) runs.at(-1).points.push(to);
      else runs.push({ kind, points: [from, to] });
    }
    const zero = this.y(0);
    const clip = (id, y, height) => s("clipPath", { id }, s("rect", { x: 0, y, width: this.#width, height }));
    const parts = [clip("graph-above", 0, zero), clip("graph-below", zero, this.#height - zero)];
    for (const { kind, points: run } of runs) {
      const way = run
        .map(({ place, value }) => `${this.x(place).toFixed(1)} ${this.y(value.discs).toFixed(1)}`)
        .join("L");
      const area = `M${this.x(run[0].place)} ${zero}L${way}L${this.x(run.at(-1).place)} ${zero}z`;
      parts.push(
        s("path", { class: `area black ${kind}`, d: area, "clip-path": "url(#graph-above)" }),
        s("path", { class: `area white ${kind}`, d: area, "clip-path": "url(#graph-below)" }),
        s("path", { class: `course ${kind}`, d: `M${way}` }),
      );
    }
    return parts;
  }

  #mistakes(points) {
    return points
      .filter(({ judged, value }) => judged?.fault && value)
      .map(({ place, judged, value }) =>
        s("circle", {
          class: `fault ${judged.fault} ${judged.side}`,
          cx: this.x(place),
          cy: this.y(value.discs),
          r: Math.min(3 + judged.loss / 4, 9).toFixed(1),
        }),
      );
  }

  #cursor() {
    const place = this.#placeHere();
    const onMain = model.tree.main[place] === model.state.node;
    const value = this.points[place]?.value;
    return [
      s("path", {
        class: onMain ? "cursor" : "cursor aside",
        d: `M${this.x(place)} ${EDGE.top}V${this.#height - EDGE.bottom}`,
      }),
      value ? s("circle", { class: "here", cx: this.x(place), cy: this.y(value.discs), r: 3.5 }) : null,
    ].filter(Boolean);
  }

  /** The place on the main line of the node on the board, or of where its variation leaves. */
  #placeHere() {
    const places = new Map(model.tree.main.map((id, place) => [id, place]));
    let id = model.state.node;
    while (id !== null && id !== undefined && !places.has(id)) id = model.tree.nodes.get(id)?.parent;
    return places.get(id) ?? 0;
  }

  #placeAt(event) {
    const box = this.track.getBoundingClientRect();
    const share = (event.clientX - box.left - EDGE.left) / (this.#width - EDGE.left - EDGE.right);
    return Math.max(0, Math.min(this.points.length - 1, Math.round(share * this.last)));
  }

  #goto(event) {
    const id = this.points?.[this.#placeAt(event)]?.id;
    if (id === undefined || id === this.#wanted) return;
    this.#wanted = id;
    send({ type: "goto", node: id });
    setTimeout(() => (this.#wanted = null), 80);
  }

  #describe(point) {
    const node = model.tree.nodes.get(point?.id);
    if (!node?.move) return t("moves.start");
    const words = [`${node.number} ${t(`side.${node.side}`)} ${moveText(node.move)}`];
    if (point.value)
      words.push(
        t("value.for-black", {
          value: `${signed(point.value.discs, point.value.kind !== "estimate")}, ${surenessText(point.value)}`,
        }),
      );
    if (point.judged?.fault)
      words.push(
        t(`fault.${point.judged.fault}`),
        t("graph.lost", { n: point.judged.loss }),
        t("graph.better", { move: point.judged.best.move }),
      );
    return words.join(", ");
  }

  #showCard(place) {
    const point = this.points?.[place];
    const node = model.tree.nodes.get(point?.id);
    show(this.card, !!node?.move);
    if (!node?.move) return;
    const lost = point.judged && point.judged.loss >= 0.5;
    this.card.replaceChildren(
      h("span", { class: `stone ${node.side}` }),
      h("strong", {}, `${node.number}. ${moveText(node.move)}`),
      ...(point.value ? [valueElement(point.value)] : []),
      ...(lost
        ? [
            h(
              "span",
              { class: `loss ${point.judged.fault ?? ""}` },
              t("graph.lost", { n: round(point.judged.loss) }),
            ),
            h("span", {}, t("graph.better", { move: point.judged.best.move })),
          ]
        : []),
    );
    const left = Math.max(
      4,
      Math.min(this.x(place) - this.card.offsetWidth / 2, this.#width - this.card.offsetWidth - 4),
    );
    this.card.style.left = `${left}px`;
  }
}

/** A loss as a number of discs. */
export function round(loss) {
  return String(Math.round(loss * 10) / 10);
}

/** A move as people read it. */
export function moveText(move) {
  return move === "pass" ? t("moves.pass") : move;
}
