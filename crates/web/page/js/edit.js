// Editing a position. What it would be like, its moves and whether anybody can move, the program tells.

import { squareNames } from "./board.js";
import { choices } from "./dialog.js";
import { button, h, show, write } from "./dom.js";
import { changed, model, watch } from "./model.js";
import { notice } from "./notice.js";
import { ask, openTab, rememberGame, wish } from "./sitting.js";
import { errorText, t } from "./texts.js";

const NEXT = { "-": "X", X: "O", O: "-" };
const BRUSHES = { black: "X", white: "O", empty: "-" };

/** Begins with the position on the board. */
export function startEdit() {
  const { size, squares, turn } = model.state.position;
  model.edit = { size, squares, turn, brush: "cycle", checked: null };
  check();
}

/** Puts a disc as the brush says. */
export function paint(square) {
  const { edit } = model;
  const place = squareNames(edit.size).indexOf(square);
  const disc = BRUSHES[edit.brush] ?? NEXT[edit.squares[place]];
  edit.squares = edit.squares.slice(0, place) + disc + edit.squares.slice(place + 1);
  check();
}

function leave() {
  model.edit = null;
  changed("edit", "state");
}

async function check() {
  const { edit } = model;
  changed("edit");
  const { size, squares, turn } = edit;
  try {
    const { position } = await ask({ type: "check-position", size, squares, turn });
    if (model.edit === edit && edit.squares === squares && edit.turn === turn) edit.checked = position;
  } catch (error) {
    notice(errorText(error), "error");
  }
  changed("edit");
}

/** The panel while a position is edited. */
export function editPanel() {
  const body = h("div", { class: "tab-body edit-panel" });
  const element = h(
    "section",
    { class: "editor scrolls", hidden: true, "aria-label": t("edit.title") },
    h("h2", {}, t("edit.title")),
    body,
  );
  let open = false;
  const verdict = h("p", { class: "quiet" });
  watch("edit", () => {
    const { edit } = model;
    show(element, !!edit);
    if (edit && !open) body.replaceChildren(...controls(verdict));
    open = !!edit;
    if (edit) write(verdict, verdictText(edit));
  });
  return element;
}

function controls(verdict) {
  const { edit } = model;
  return [
    choices("edit-size", t("edit.size"), sizes(), edit.size, (n) => resize(Number(n))),
    choices(
      "edit-brush",
      t("edit.brush"),
      ["cycle", ...Object.keys(BRUSHES)].map((name) => [name, t(`brush.${name}`)]),
      edit.brush,
      (name) => (model.edit.brush = name),
    ),
    choices(
      "edit-turn",
      t("edit.turn"),
      ["black", "white"].map((side) => [side, t(`side.${side}`)]),
      edit.turn,
      (side) => {
        model.edit.turn = side;
        check();
      },
    ),
    h(
      "div",
      { class: "buttons" },
      button(t("edit.start"), () => setSquares(start(model.edit.size))),
      button(t("edit.clear"), () => setSquares("-".repeat(model.edit.size ** 2))),
    ),
    verdict,
    h("div", { class: "buttons" }, button(t("edit.done"), finish, "primary"), button(t("do.cancel"), leave)),
  ];
}

function sizes() {
  return model.welcome.starts.map(({ size }) => [size, `${size}×${size}`]).reverse();
}

function setSquares(squares) {
  model.edit.squares = squares;
  check();
}

function resize(size) {
  Object.assign(model.edit, { size, squares: start(size), turn: "black", checked: null });
  check();
}

/** The standard start, as the program has told it. */
function start(size) {
  return model.welcome.starts.find((view) => view.size === size).squares;
}

function verdictText({ checked, turn }) {
  if (!checked) return "";
  const side = t(`side.${turn}`);
  if (checked.over) return t("edit.over");
  return checked.must_pass ? t("edit.pass", { side }) : t("edit.moves", { side, n: checked.legal.length });
}

async function finish() {
  const { size, squares, turn } = model.edit;
  rememberGame();
  try {
    await wish({ type: "set-position", size, squares, turn });
    leave();
    openTab("analyse");
  } catch (error) {
    notice(errorText(error), "error");
  }
}
