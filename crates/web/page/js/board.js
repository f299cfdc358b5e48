// The board: draws what it is told, knows no rule. An SVG is what is seen; over it lies a grid of labelled
// cells, which is what is clicked, focused and read aloud.

import { h, s, set, show, write } from "./dom.js";
import { discs, look, lossStep, sureness } from "./value.js";

/** The drawing is 840 wide: 30 for the coordinates at the left and the top, 800 for the squares. */
const EDGE = 30;
const SPAN = 800;
const FLIP_MS = 180;
const STAGGER_MS = 35;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The names of the squares of a board in reading order. */
export function squareNames(size) {
  const names = [];
  for (let row = 1; row <= size; row++)
    for (let column = 0; column < size; column++) names.push("abcdefgh"[column] + row);
  return names;
}

export class Board {
  #size = 0;
  #swapped = false;
  #squares = "";
  #cells = new Map();
  #focused = null;
  #hovered = null;
  #scene = null;

  /** `onPlay(square, event)` when a cell is clicked or entered; `onLeave` when Escape is pressed. */
  constructor({ label, onPlay, onLeave }) {
    this.onPlay = onPlay;
    this.drawing = s("svg", { viewBox: "0 0 840 840", class: "drawing", "aria-hidden": "true" });
    this.grid = h("div", { class: "cells", role: "grid", "aria-label": label });
    this.element = h("div", { class: "board" }, this.drawing, this.grid);
    this.grid.onclick = (event) => this.#enter(event);
    this.grid.onpointerover = (event) =>
      event.pointerType !== "touch" && this.#hover(event.target.dataset.square ?? null);
    this.grid.onpointerleave = () => this.#hover(null);
    this.grid.onfocusin = (event) => this.#hover(event.target.dataset.square ?? null);
    this.grid.onfocusout = () => this.#hover(null);
    this.grid.onkeydown = (event) => this.#key(event, onLeave);
  }

  /**
   * Draws a scene:
   * `{ size, squares, swapped, legal: Map(square → flips), dots, last, values: Map, live, overlay, hint,
   *    better, badge, label(square) }`; `events` are animated.
   */
  draw(scene, events = []) {
    this.#scene = scene;
    if (scene.size !== this.#size || scene.swapped !== this.#swapped) this.#build(scene.size, scene.swapped);
    this.#discs(scene.squares, events);
    const values = scene.values ?? new Map();
    for (const [square, cell] of this.#cells) {
      const value = values.get(square);
      set(cell.group, "class", this.#classOf(scene, square));
      set(cell.area, "aria-label", scene.label(square));
      set(cell.area, "class", scene.legal.has(square) && scene.dots ? "cell legal" : "cell");
      this.#value(cell, value, scene.live);
      this.#overlay(cell, scene.overlay?.get(square));
      write(cell.badge, square === scene.last ? (scene.badge ?? "") : "");
    }
    this.#hover(this.#hovered);
  }

  /** Puts the focus on the cell that had it last. */
  focus() {
    const square = this.#focused ?? [...(this.#scene?.legal.keys() ?? [])][0] ?? "d4";
    this.#focusOn(this.#cells.has(square) ? square : "a1");
  }

  #classOf(scene, square) {
    const names = ["square"];
    if (square === scene.last && !scene.overlay?.has(square)) names.push("last");
    const covered = scene.values?.has(square) || scene.overlay?.has(square);
    if (scene.legal.has(square) && scene.dots && !covered) names.push("dot");
    if (scene.values?.get(square)?.best) names.push("best");
    if (square === scene.hint) names.push("hint");
    if (square === scene.better) names.push("better");
    return names.join(" ");
  }

  #value(cell, value, live) {
    show(cell.chip, value !== undefined);
    if (value === undefined) return;
    set(cell.chip, "class", `chip loss${lossStep(value.loss)} ${look(value.value, live)}`);
    write(cell.number, discs(value.value));
    write(cell.sure, sureness(value.value));
  }

  #overlay(cell, mark) {
    set(cell.tint, "class", mark ? `tint ${mark.kind}` : "tint");
    set(cell.tint, "opacity", mark?.strength ?? 1);
    write(cell.note, mark?.text ?? "");
    set(cell.note, "class", mark ? `note ${mark.kind} on-${mark.on}` : "note");
  }

  #discs(squares, events) {
    const flips = new Map();
    let placed = null;
    const moves = events.filter((event) => event.kind === "moved" || event.kind === "unmoved");
    // Several moves at once, as when a line is entered, are drawn as their result.
    if (moves.length === 1 && !still.matches) {
      placed = moves[0].kind === "moved" ? moves[0].square : null;
      moves[0].flips.forEach((square, place) => flips.set(square, place));
    }
    for (const [square, cell] of this.#cells) {
      const disc = squares[cell.index];
      const before = this.#squares[cell.index] ?? "-";
      if (disc === before) continue;
      const color = { X: "disc black", O: "disc white", "-": "disc none" }[disc];
      for (const animation of cell.disc.getAnimations()) animation.finish();
      if (flips.has(square) && disc !== "-" && before !== "-") {
        this.#flip(cell.disc, color, (flips.get(square) + 1) * STAGGER_MS);
      } else {
        set(cell.disc, "class", color);
        if (square === placed)
          cell.disc.animate(
            [
              { transform: "scale(0.6)", opacity: 0.3 },
              { transform: "none", opacity: 1 },
            ],
            { duration: 120, easing: "ease-out" },
          );
      }
    }
    this.#squares = squares;
  }

  #flip(disc, color, delay) {
    const half = { duration: FLIP_MS / 2, fill: "backwards" };
    const away = disc.animate([{ transform: "none" }, { transform: "scaleX(0.04)" }], {
      ...half,
      delay,
      easing: "ease-in",
    });
    away.onfinish = () => {
      set(disc, "class", color);
      disc.animate([{ transform: "scaleX(0.04)" }, { transform: "none" }], { ...half, easing: "ease-out" });
    };
  }

  #build(size, swapped) {
    this.#size = size;
    this.#swapped = swapped;
    this.#squares = "";
    this.#cells.clear();
    const names = squareNames(size);
    const cell = SPAN / size;
    const at = (place) => EDGE + place * cell;
    const columnAt = (column) => (swapped ? size - 1 - column : column);
    const lines = [];
    for (let place = 1; place < size; place++) {
      lines.push(s("path", { d: `M${at(place)} ${EDGE}v${SPAN}M${EDGE} ${at(place)}h${SPAN}` }));
    }
    const near = size === 4 ? 1 : 2;
    const markers = [near, size - near].flatMap((x) =>
      [near, size - near].map((y) => s("circle", { cx: at(x), cy: at(y), r: 5 })),
    );
    const coordinates = [];
    for (let place = 0; place < size; place++) {
      const middle = at(columnAt(place)) + cell / 2;
      coordinates.push(
        s("text", { x: middle, y: EDGE - 9 }, "abcdefgh"[place]),
        s("text", { x: EDGE / 2 - 2, y: middle + 6 }, String(place + 1)),
      );
    }
    const groups = names.map((square, index) => {
      const x = at(columnAt(index % size));
      const y = at(columnAt(Math.floor(index / size)));
      const parts = drawSquare(x, y, cell);
      this.#cells.set(square, { ...parts, index });
      return parts.group;
    });
    this.drawing.replaceChildren(
      s("g", { class: "coordinates" }, coordinates),
      s("rect", { class: "ground", x: EDGE, y: EDGE, width: SPAN, height: SPAN, rx: 6 }),
      s("g", { class: "lines" }, lines),
      s("g", { class: "markers" }, markers),
      ...groups,
    );
    this.#buildCells(swapped ? [...names].reverse() : names, size);
  }

  #buildCells(names, size) {
    set(this.grid, "data-size", size);
    const rows = [];
    for (let row = 0; row < size; row++) {
      const areas = names.slice(row * size, (row + 1) * size).map((square) => {
        const area = h("div", { role: "gridcell", class: "cell", tabindex: "-1", "data-square": square });
        this.#cells.get(square).area = area;
        return area;
      });
      rows.push(h("div", { role: "row", class: "row" }, areas));
    }
    this.grid.replaceChildren(...rows);
    this.order = names;
    this.#focused = null;
    set(this.#cells.get(names[0]).area, "tabindex", "0");
  }

  #hover(square) {
    this.#hovered = square;
    const scene = this.#scene;
    const flips = square && scene?.dots ? (scene.legal.get(square) ?? []) : [];
    for (const [name, cell] of this.#cells) {
      cell.group.classList.toggle("would-flip", flips.includes(name));
      cell.group.classList.toggle("under", name === square && flips.length > 0);
    }
  }

  #focusOn(square) {
    for (const [name, cell] of this.#cells) set(cell.area, "tabindex", name === square ? "0" : "-1");
    this.#focused = square;
    this.#cells.get(square).area.focus({ preventScroll: true });
  }

  #enter(event) {
    const square = event.target.closest("[data-square]")?.dataset.square;
    if (square) this.onPlay(square, event);
  }

  #key(event, onLeave) {
    const square = event.target.dataset.square;
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = this.order.indexOf(square);
    const size = this.#size;
    const column = place % size;
    const to = {
      ArrowLeft: column > 0 ? place - 1 : place,
      ArrowRight: column < size - 1 ? place + 1 : place,
      ArrowUp: place >= size ? place - size : place,
      ArrowDown: place < size * (size - 1) ? place + size : place,
      Home: place - column,
      End: place - column + size - 1,
    }[event.key];
    if (to !== undefined) {
      this.#focusOn(this.order[to]);
    } else if (event.key === "Enter" || event.key === " ") {
      this.onPlay(square, event);
    } else if (event.key === "Escape") {
      event.target.blur();
      onLeave?.();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The parts of one square, from the ground up. */
function drawSquare(x, y, cell) {
  const middle = { cx: x + cell / 2, cy: y + cell / 2 };
  const radius = cell * 0.42;
  const pad = cell * 0.07;
  const scale = cell / 100;
  const text = (dy, size, name) =>
    s("text", { x: middle.cx, y: middle.cy + dy * scale, "font-size": size * scale, class: name });
  const tint = s("rect", { class: "tint", x: x + 1, y: y + 1, width: cell - 2, height: cell - 2 });
  const shade = s("circle", { class: "shade", ...middle, cy: middle.cy + 2.5 * scale, r: radius });
  const face = s("circle", { class: "face", ...middle, r: radius });
  const disc = s("g", { class: "disc none" }, shade, face);
  const number = text(3, 31, "number");
  const sure = text(29, 20, "sure");
  const chip = s(
    "g",
    { class: "chip" },
    s("rect", { x: x + pad, y: y + pad, width: cell - 2 * pad, height: cell - 2 * pad, rx: 9 * scale }),
    number,
    sure,
  );
  show(chip, false);
  const note = text(11, 32, "note");
  const badge = text(-14, 34, "badge");
  badge.setAttribute("x", middle.cx + 30 * scale);
  const group = s(
    "g",
    { class: "square" },
    tint,
    disc,
    chip,
    s("circle", { class: "legal-dot", ...middle, r: cell * 0.09 }),
    s("circle", { class: "flip-ring", ...middle, r: radius - 2 }),
    s("circle", { class: "last-ring", ...middle, r: cell * 0.13 }),
    s("rect", {
      class: "best-ring",
      x: x + pad,
      y: y + pad,
      width: cell - 2 * pad,
      height: cell - 2 * pad,
      rx: 9 * scale,
    }),
    s("circle", { class: "hint-ring", ...middle, r: cell * 0.34 }),
    note,
    badge,
  );
  return { group, tint, disc, chip, number, sure, note, badge };
}

/** A small board without cells, for previews and lists. */
export function miniBoard(position, last) {
  const { size, squares } = position;
  const drawing = s("svg", {
    viewBox: `0 0 ${size * 10} ${size * 10}`,
    class: "mini",
    role: "img",
    "aria-hidden": "true",
  });
  drawing.append(s("rect", { class: "ground", width: size * 10, height: size * 10, rx: 1 }));
  for (let place = 1; place < size; place++) {
    drawing.append(
      s("path", { class: "lines", d: `M${place * 10} 0v${size * 10}M0 ${place * 10}h${size * 10}` }),
    );
  }
  squareNames(size).forEach((name, index) => {
    if (squares[index] === "-") return;
    const middle = { cx: (index % size) * 10 + 5, cy: Math.floor(index / size) * 10 + 5 };
    const color = squares[index] === "X" ? "black" : "white";
    drawing.append(s("g", { class: `disc ${color}` }, s("circle", { class: "face", ...middle, r: 4.2 })));
    if (name === last) drawing.append(s("circle", { class: `mini-last ${color}`, ...middle, r: 1.3 }));
  });
  return drawing;
}
