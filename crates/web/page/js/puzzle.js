// Puzzles: a position, one question, as many tries as one likes, then the refutation of the wrong ones and
// the proof of the right one.

import { button, enable, h, show, write } from "./dom.js";
import { moveText } from "./graph.js";
import { changed, model, watch } from "./model.js";
import { ask, wishOrTell, send } from "./sitting.js";
import { t } from "./texts.js";
import { valueElement } from "./value.js";

export function puzzleLesson() {
  const intro = h("p", { class: "quiet" }, t("puzzle.intro"));
  const win = button(t("puzzle.win"), () => wishOrTell({ type: "puzzle", source: nextSource() }), "primary");
  const own = button(t("puzzle.own", { n: 0 }), () => wishOrTell({ type: "puzzle", source: "own" }));
  const question = h("p", { class: "question" });
  const about = h("p", { class: "quiet" });
  const tries = h("ol", { class: "tries" });
  const solution = h("div", { class: "solution" });
  const reveal = button(t("puzzle.show"), () => send({ type: "puzzle-show" }));
  const end = button(t("puzzle.end"), () => send({ type: "puzzle-end" }));
  watch("puzzle tab", () => {
    const { puzzle } = model;
    const none = !puzzle || puzzle.status === "ended";
    const open = puzzle?.status === "open";
    show(intro, none);
    show(question, !none);
    show(about, open);
    show(reveal, open);
    show(end, !none);
    enable(win, puzzle?.status !== "making");
    enable(own, puzzle?.status !== "making");
    write(win, t(none || open ? "puzzle.win" : "puzzle.next"));
    write(own, t("puzzle.own", { n: puzzle?.own_left ?? 0 }));
    show(solution, !!puzzle?.solution && !none);
    if (none) {
      tries.replaceChildren();
      return;
    }
    write(question, questionText(puzzle));
    write(
      about,
      puzzle.question ? `${t("puzzle.empties", { n: puzzle.question.empties })}. ${t("puzzle.try")}` : "",
    );
    tries.replaceChildren(
      ...puzzle.tries.map((line) =>
        h(
          "li",
          {},
          h("p", {}, t("puzzle.wrong", { move: line.moves[0], value: "" }), valueElement(line.value)),
          walkable(line),
        ),
      ),
    );
    if (puzzle.solution) {
      const key = puzzle.status === "solved" ? "puzzle.solved" : "puzzle.shown";
      solution.replaceChildren(
        h(
          "p",
          {},
          t(key, { move: puzzle.solution.moves[0], value: "" }),
          valueElement(puzzle.solution.value),
        ),
        walkable(puzzle.solution),
      );
    }
  });
  return h(
    "section",
    { class: "lesson" },
    intro,
    question,
    about,
    solution,
    tries,
    h("div", { class: "buttons" }, win, own, reveal, end),
  );
}

/** After a puzzle of one's own comes the next of these, as long as there are any. */
function nextSource() {
  const { puzzle } = model;
  const solved = puzzle?.status === "solved" || puzzle?.status === "shown";
  return solved && puzzle.source === "own" && puzzle.own_left > 0 ? "own" : "win";
}

function questionText({ status, question }) {
  if (status === "making" || !question) return t("puzzle.making");
  const side = t(`side.${question.side}`);
  return question.kind === "win"
    ? t("puzzle.ask-win", { side })
    : t("puzzle.ask-better", { side, loss: question.loss });
}

/** A line whose positions are shown on the board while one points at its moves. */
function walkable(line) {
  const moves = line.moves.map((move, place) => {
    const element = h("button", { type: "button", class: "line-move" }, moveText(move));
    const look = () => peek(line.moves.slice(0, place + 1));
    element.onpointerenter = look;
    element.onfocus = look;
    element.onclick = look;
    element.onpointerleave = unpeek;
    element.onblur = unpeek;
    return element;
  });
  return h("div", { class: "line" }, h("span", { class: "line-moves" }, moves));
}

let looking = 0;

async function peek(moves) {
  const mine = ++looking;
  const answer = await ask({ type: "preview", puzzle: true, moves }).catch(() => null);
  if (!answer || mine !== looking) return;
  model.peek = { puzzle: true, position: answer.position, last: answer.last };
  changed("peek");
}

function unpeek() {
  looking++;
  model.peek = null;
  changed("peek");
}
