// What the board shows: the game, a puzzle, a position being edited or a line being looked at, with the
// values and overlays that belong to it.

import { squareNames } from "./board.js";
import { judgedHere, model, puzzling, valuesShown } from "./model.js";
import { spoken, t } from "./texts.js";
import { surenessText } from "./value.js";

/** The scene for the board. */
export function scene() {
  if (model.edit) return editScene();
  if (puzzling()) return puzzleScene();
  return gameScene();
}

function base(position) {
  return {
    size: position.size,
    squares: position.squares,
    swapped: model.swapped,
    legal: new Map((position.legal ?? []).map(({ square, flips }) => [square, flips])),
    dots: false,
    last: null,
  };
}

function gameScene() {
  const { state, analysis } = model;
  const values = valuesShown() ? new Map(analysis.squares.map((entry) => [entry.square, entry])) : new Map();
  const live = analysis?.status === "running";
  const drawn = {
    ...base(state.position),
    dots: state.can.play || values.size > 0,
    last: state.last?.square ?? null,
    values,
    live,
    hint: model.hint?.node === state.node ? model.hint.move : null,
    overlay: overlayMarks(),
  };
  if (model.tab !== "play" || state.game.status !== "going") Object.assign(drawn, judgement());
  // A value on a square is about the next move; the ring of a better one, about the last, would confuse.
  if (values.size > 0) drawn.better = null;
  if (drawn.overlay) drawn.values = new Map();
  return { ...drawn, label: labeller(state.position, drawn) };
}

/** A mark on the last move if it was a mistake, and where the better one would have been. */
function judgement() {
  const judged = judgedHere();
  if (!judged?.fault) return {};
  const better = model.tab === "analyse" ? judged.best.move : null;
  return { badge: judged.fault === "blunder" ? "??" : "?", better };
}

function puzzleScene() {
  const { puzzle, peek } = model;
  if (peek?.puzzle) {
    const drawn = { ...base({ ...peek.position, legal: [] }), last: peek.last ?? null };
    return { ...drawn, label: labeller(peek.position, drawn) };
  }
  const open = puzzle.status === "open";
  const drawn = {
    ...base(puzzle.position),
    dots: open,
    values: new Map(
      puzzle.tries.map((line) => [
        line.moves[0],
        { square: line.moves[0], value: line.value, loss: 64, best: false },
      ]),
    ),
  };
  if (puzzle.solution) {
    const { moves, value } = puzzle.solution;
    drawn.values.set(moves[0], { square: moves[0], value, loss: 0, best: true });
  }
  return { ...drawn, label: labeller(puzzle.position, drawn) };
}

function editScene() {
  const { edit } = model;
  const position = { ...edit, legal: edit.checked?.legal ?? [] };
  const drawn = { ...base(position), dots: true };
  return { ...drawn, label: labeller(position, drawn) };
}

/** The words for a square: "f5, empty, legal, plus 3, proven". */
function labeller(position, drawn) {
  const index = new Map(squareNames(position.size).map((name, place) => [name, place]));
  return (square) => {
    const disc = position.squares[index.get(square)];
    const words = [square, { X: t("side.black"), O: t("side.white"), "-": t("say.empty") }[disc]];
    if (drawn.dots && drawn.legal.has(square)) words.push(t("say.legal"));
    const entry = drawn.values?.get(square);
    if (entry) words.push(spoken(entry.value.discs), surenessText(entry.value));
    if (entry?.best) words.push(t("say.best"));
    const mark = drawn.overlay?.get(square);
    if (mark?.text) words.push(mark.text);
    if (square === drawn.last) words.push(t("say.last"));
    if (square === drawn.hint) words.push(t("do.hint"));
    return words.join(", ");
  };
}

/** The overlay of the Learn tab as marks for squares. */
function overlayMarks() {
  const { overlay, state } = model;
  const learning = model.tab === "learn" && model.lesson === "overlays";
  if (!learning || !overlay || overlay.kind === "none" || overlay.node !== state.node) return undefined;
  const names = squareNames(state.position.size);
  const onOf = (square) =>
    ({ X: "black", O: "white", "-": "ground" })[state.position.squares[names.indexOf(square)]];
  const largest = Math.max(1, ...overlay.squares.map(({ number }) => Math.abs(number)));
  return new Map(
    overlay.squares.map((entry) => [
      entry.square,
      { ...overlayMark(overlay.kind, entry, largest), on: onOf(entry.square) },
    ]),
  );
}

function overlayMark(kind, entry, largest) {
  const strength = 0.3 + (0.65 * Math.abs(entry.number)) / largest;
  switch (kind) {
    case "square-values":
      return {
        kind: entry.number < 0 ? "bad" : "good",
        strength,
        text: String(entry.number).replace("-", "−"),
      };
    case "parity":
      return {
        kind: `region${entry.region % 6} ${entry.number % 2 ? "odd" : "even"}`,
        text: String(entry.number),
      };
    case "stable":
      return { kind: "stable", text: "◆" };
    case "frontier":
      return { kind: "frontier", strength, text: String(entry.number) };
    default:
      return { kind: `for-${entry.owner}`, text: String(entry.number) };
  }
}
