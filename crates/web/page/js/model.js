// What the page knows: the last message of each kind, and a few choices of its own. Views say which parts
// they draw and are called once a frame when one of these has changed.

/** Everything there is to draw. */
export const model = {
  /** `connecting`, `open`, `lost`, `taken-over`, `full` or `version`. */
  link: "connecting",
  welcome: null,
  state: null,
  /** `{ nodes: Map(id → node), main: [id] }` */
  tree: { nodes: new Map(), main: [] },
  analysis: null,
  /** `{ status, effort, done, total, moves: Map(node → judged), totals }` */
  review: null,
  /** What the analyses of this visit have said for Black: points of the graph besides the review's. */
  seen: new Map(),
  overlay: null,
  puzzle: null,
  hint: null,
  /** `play`, `analyse` or `learn` */
  tab: "play",
  /** `overlays`, `tree` or `puzzles` */
  lesson: "overlays",
  /** Whether h8 is at the top left: the board seen from the other side. */
  swapped: false,
  /** The position being edited: `{ size, squares, turn, brush, checked }` */
  edit: null,
  /** The search tree: `{ minimax, alphabeta, position, step, … }` */
  search: null,
  /** The board of a line under the pointer, shown instead of the real one: `{ position, last }` */
  peek: null,
};

const views = [];
const dirty = new Set();

/** Calls `draw` after any of the parts has changed. */
export function watch(parts, draw) {
  views.push({ parts: parts.split(" "), draw });
}

/** Says that parts have changed. */
export function changed(...parts) {
  if (dirty.size === 0) requestAnimationFrame(drawAll);
  for (const part of parts) dirty.add(part);
}

function drawAll() {
  const parts = new Set(dirty);
  dirty.clear();
  for (const view of views) {
    if (view.parts.some((part) => parts.has(part))) view.draw();
  }
}

/** Whether the puzzle is what the board shows. */
export function puzzling() {
  return (
    model.tab === "learn" &&
    model.lesson === "puzzles" &&
    model.puzzle?.position !== undefined &&
    model.puzzle?.status !== "ended"
  );
}

/** Whether the search tree is what the left side shows. */
export function searching() {
  return model.tab === "learn" && model.lesson === "tree" && !model.edit;
}

/** Whether the engine's values are to be seen: not while somebody plays without its help. */
export function valuesShown() {
  const { analysis, state, tab } = model;
  if (!analysis || !state || analysis.node !== state.node || model.edit || puzzling()) return false;
  return analysis.status !== "off" || (tab === "analyse" && state.game.status !== "going");
}

/** The judgement of the move that led to the node on the board. */
export function judgedHere() {
  return model.review?.moves.get(model.state?.node);
}
