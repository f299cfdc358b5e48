// The tree view: the same search by minimax and by alpha-beta, side by side and step by step. Both are drawn
// with the layout of the whole tree, so what alpha-beta leaves out stays in its place, grey.

import { miniBoard } from "./board.js";
import { choices } from "./dialog.js";
import { h, iconButton, s, set, show, write } from "./dom.js";
import { changed, model, searching, watch } from "./model.js";
import { askOrTell } from "./sitting.js";
import { number, percent, signed, t } from "./texts.js";

const ROW = 22;
const RUN_MS = 120;
const wishes = { depth: 3, eval: "discs" };

/** The part in the panel: what to search, the counts, the steps, the position. */
export function treeLesson() {
  const depth = choices(
    "tree-depth",
    t("tree.depth"),
    [1, 2, 3, 4, 5].map((n) => [n, String(n)]),
    wishes.depth,
    (n) => {
      wishes.depth = Number(n);
      search();
    },
  );
  const evaluation = choices(
    "tree-eval",
    t("tree.eval"),
    ["discs", "positional"].map((name) => [name, t(`eval.${name}`)]),
    wishes.eval,
    (name) => {
      wishes.eval = name;
      search();
    },
  );
  const slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": t("tree.step") });
  slider.oninput = () => stepTo(Number(slider.value));
  const run = iconButton("play", t("tree.play"), toggleRun);
  const controls = h(
    "div",
    { class: "steps" },
    iconButton("first", t("do.first"), () => stepTo(0)),
    iconButton("back", t("do.back"), () => stepBy(-1)),
    run,
    iconButton("forward", t("do.forward"), () => stepBy(1)),
    iconButton("last", t("do.last"), () => stepTo(Infinity)),
    slider,
  );
  const words = { minimax: h("p", {}), alphabeta: h("p", {}) };
  const saved = h("p", { class: "quiet" });
  const mini = h("div", { class: "tree-mini" });
  watch("search", () => {
    const { search } = model;
    show(controls, !!search);
    if (!search) return;
    set(slider, "max", search.last);
    slider.value = search.step;
    set(run, "aria-pressed", String(search.running));
    for (const name of ["minimax", "alphabeta"]) {
      words[name].replaceChildren(
        h("strong", {}, `${t(`tree.${name}`)}: `),
        stepText(search[name], search.step),
      );
    }
    write(
      saved,
      t("tree.saved", { share: percent(search.alphabeta.nodes.length / search.minimax.nodes.length) }),
    );
    const node = search.minimax.nodes[search.looked];
    mini.replaceChildren(
      miniBoard({ size: search.position.size, squares: node.squares }, node.move),
      h(
        "span",
        { class: "quiet" },
        `${path(search.minimax, search.looked)} · ${t("play.to-move", { side: t(`side.${node.turn}`) })}`,
      ),
    );
  });
  watch("tab", () => searching() && !model.search && search());
  const told = h("div", { class: "tree-words" }, words.minimax, words.alphabeta, saved);
  return h(
    "section",
    { class: "lesson" },
    h("p", {}, t("tree.about")),
    controls,
    h("div", { class: "tree-now" }, mini, told),
    h("div", { class: "tree-wishes" }, depth, evaluation),
    h("p", { class: "quiet" }, t("tree.use")),
  );
}

/** The part on the stage: both trees. */
export function treeStage() {
  const panes = ["minimax", "alphabeta"].map((name) => {
    const count = h("span", { class: "tree-count" });
    const drawing = s("svg", { class: "tree-drawing" });
    const box = h(
      "div",
      { class: "tree-box scrolls", tabindex: "0", role: "group", "aria-label": t(`tree.${name}`) },
      drawing,
    );
    return {
      name,
      count,
      drawing,
      box,
      element: h("section", { class: "tree-pane" }, h("h3", {}, t(`tree.${name}`), count), box),
    };
  });
  // One scrolls with the other: a node is beside itself.
  for (const [one, other] of [
    [panes[0], panes[1]],
    [panes[1], panes[0]],
  ]) {
    one.box.onscroll = () => {
      if (other.box.scrollTop !== one.box.scrollTop) other.box.scrollTop = one.box.scrollTop;
      if (other.box.scrollLeft !== one.box.scrollLeft) other.box.scrollLeft = one.box.scrollLeft;
    };
  }
  let drawn = null;
  watch("search", () => {
    const { search } = model;
    if (!search) return;
    for (const pane of panes) {
      if (drawn !== search.minimax) pane.items = build(pane, search);
      mark(pane, search);
    }
    drawn = search.minimax;
  });
  return h(
    "div",
    { class: "tree-stage" },
    panes.map(({ element }) => element),
  );
}

async function search() {
  const answer = await askOrTell({ type: "search-tree", depth: wishes.depth, eval: wishes.eval });
  if (!answer) return;
  const last = Math.max(answer.minimax.steps.length, answer.alphabeta.steps.length);
  // Which node of the whole tree each node of the smaller one is.
  const places = new Map(answer.minimax.nodes.map((_, place) => [path(answer.minimax, place), place]));
  answer.minimax.place = answer.minimax.nodes.map((_, place) => place);
  answer.alphabeta.place = answer.alphabeta.nodes.map((_, place) =>
    places.get(path(answer.alphabeta, place)),
  );
  if (model.search?.running) clearInterval(timer);
  model.search = {
    ...answer,
    step: last,
    last,
    running: false,
    looked: 0,
    layout: layout(answer.minimax, answer.depth),
  };
  changed("search");
}

let timer = 0;

function toggleRun() {
  const { search } = model;
  search.running = !search.running;
  clearInterval(timer);
  if (search.running) {
    if (search.step >= search.last) search.step = 0;
    timer = setInterval(() => (model.search.step < model.search.last ? stepBy(1) : toggleRun()), RUN_MS);
  }
  changed("search");
}

function stepBy(n) {
  stepTo(model.search.step + n);
}

function stepTo(step) {
  const { search } = model;
  search.step = Math.max(0, Math.min(search.last, step));
  const at = search.minimax.steps[search.step - 1];
  search.looked = at ? at.node : 0;
  changed("search");
}

/** The way to a node: "b1 a1 a2". */
function path(tree, place) {
  const moves = [];
  for (let node = tree.nodes[place]; node?.move; node = tree.nodes[node.parent]) moves.unshift(node.move);
  return moves.join(" ") || t("tree.root");
}

function stepText(tree, step) {
  const at = tree.steps[step - 1];
  if (!at || step > tree.steps.length) return step > tree.steps.length ? t("step.over") : "–";
  const bound = (value, infinite) => (value === null ? infinite : signed(value, Number.isInteger(value)));
  return t(`step.${at.kind}`, {
    node: path(tree, at.node),
    value: at.value === null ? "–" : signed(at.value, Number.isInteger(at.value)),
    alpha: bound(at.alpha, "−∞"),
    beta: bound(at.beta, "+∞"),
  });
}

/** A row for each leaf, a column for each ply; a node is in the middle of its children. */
function layout(tree, depth) {
  const places = new Array(tree.nodes.length);
  let row = 0;
  const put = (place, ply) => {
    const { children } = tree.nodes[place];
    for (const child of children) put(child, ply + 1);
    const y =
      children.length > 0 ? (places[children[0]].y + places[children.at(-1)].y) / 2 : row++ * ROW + ROW;
    places[place] = { ply, y };
  };
  put(0, 0);
  return { places, rows: row, plies: Math.max(depth, ...places.map(({ ply }) => ply)) };
}

function build({ drawing, box }, { minimax, layout: { places, rows, plies } }) {
  const column = Math.max(74, Math.min(140, Math.floor((box.clientWidth - 88) / plies)));
  const width = column * plies + 84;
  set(drawing, "viewBox", `0 0 ${width} ${rows * ROW + ROW}`);
  set(drawing, "width", width);
  set(drawing, "height", rows * ROW + ROW);
  const x = (place) => 8 + places[place].ply * column;
  const edges = [];
  const items = minimax.nodes.map((node, place) => {
    const { y } = places[place];
    let edge = null;
    if (node.parent !== null) {
      const [px, py] = [x(node.parent) + 58, places[node.parent].y];
      edge = s("path", {
        class: "edge",
        d: `M${px} ${py}C${px + 20} ${py} ${x(place) - 20} ${y} ${x(place)} ${y}`,
      });
      edges.push(edge);
    }
    const text = s("text", { x: x(place) + 6, y: y + 4 }, node.move ?? "•");
    const value = s("text", { x: x(place) + 54, y: y + 4, class: "tree-value" });
    const group = s(
      "g",
      { class: "tree-node" },
      s("rect", { x: x(place), y: y - 9, width: 60, height: 18, rx: node.max ? 3 : 9 }),
      text,
      value,
    );
    group.onpointerenter = () => {
      model.search.looked = place;
      changed("search");
    };
    return { group, edge, value, y };
  });
  drawing.replaceChildren(...edges, ...items.map(({ group }) => group));
  return items;
}

/** Shows a tree as it is after the steps so far. */
function mark({ name, items, count, box }, search) {
  const tree = search[name];
  const steps = tree.steps.slice(0, search.step);
  const values = new Map();
  const done = new Set();
  for (const { node, kind, value } of steps) {
    values.set(tree.place[node], value);
    if (kind === "leave") done.add(tree.place[node]);
  }
  const current =
    steps.length < tree.steps.length || search.step === tree.steps.length
      ? tree.place[steps.at(-1)?.node]
      : undefined;
  const finished = steps.length === tree.steps.length;
  const visited = new Set(tree.place);
  const line = new Set(finished ? linePlaces(search) : []);
  items.forEach((item, place) => {
    const state = !visited.has(place)
      ? finished || parentDone(search.minimax, place, done)
        ? "cut"
        : "unseen-yet"
      : values.has(place)
        ? done.has(place)
          ? "done"
          : "open"
        : "unseen-yet";
    const extra = [
      place === current && !finished ? "current" : "",
      line.has(place) ? "best" : "",
      place === search.looked ? "looked" : "",
    ]
      .filter(Boolean)
      .join(" ");
    set(item.group, "class", `tree-node ${state} ${extra}`);
    if (item.edge) set(item.edge, "class", `edge ${state} ${line.has(place) ? "best" : ""}`);
    const value = values.get(place);
    const bound =
      done.has(place) && name === "alphabeta"
        ? { "at-least": "≥", "at-most": "≤", exact: "" }[
            tree.nodes[tree.place.indexOf(place)]?.bound ?? "exact"
          ]
        : "";
    write(
      item.value,
      value === undefined || value === null ? "" : bound + signed(value, Number.isInteger(value)),
    );
  });
  const visitedNow = steps.at(-1)?.visited ?? 0;
  write(count, t("tree.visited", { n: number(visitedNow), total: number(search.minimax.nodes.length) }));
  if (current !== undefined && search.running) keepInSight(box, items[current].y);
}

function parentDone(tree, place, done) {
  for (let node = tree.nodes[place].parent; node !== null; node = tree.nodes[node].parent)
    if (done.has(node)) return true;
  return false;
}

function linePlaces({ minimax }) {
  const places = [0];
  for (
    let node = minimax.nodes[0];
    node.best !== null && node.best !== undefined;
    node = minimax.nodes[node.best]
  )
    places.push(node.best);
  return places;
}

function keepInSight(box, y) {
  if (y < box.scrollTop + 30 || y > box.scrollTop + box.clientHeight - 30)
    box.scrollTop = y - box.clientHeight / 2;
}
