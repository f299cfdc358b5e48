// What is said to people who listen: moves, passes, results, the end of an analysis. Politely, and one
// sentence after the other.

import { h } from "./dom.js";
import { model } from "./model.js";
import { t } from "./texts.js";
import { valueSpoken } from "./value.js";

/** Two regions in turn, so that the same sentence twice is a change. */
const regions = [0, 1].map(() => h("div", { class: "unseen", role: "status", "aria-live": "polite" }));
let turn = 0;
let sentences = [];

export const announcer = h("div", {}, regions);

/** Says something when nothing else is being said. */
export function announce(text) {
  if (sentences.length === 0) setTimeout(speakAll, 60);
  sentences.push(text);
}

function speakAll() {
  regions[turn].textContent = "";
  turn = 1 - turn;
  regions[turn].textContent = sentences.join(" ");
  sentences = [];
}

/** The result of a game in words. */
export function resultText(result, game) {
  if (result.winner === null) return t("result.draw");
  const human = (side) => game.players[side].spec === "human";
  const alone = human("black") !== human("white");
  const who =
    alone && human(result.winner)
      ? t("result.you-win")
      : t("result.win", { side: t(`side.${result.winner}`) });
  return result.by === "discs" ? who : `${who} ${t(`result.${result.by}`)}`;
}

/** The discs of both sides, the winner's first. */
export function scoreText({ winner, discs }) {
  const [most, least] = winner === "white" ? [discs.white, discs.black] : [discs.black, discs.white];
  return t("result.score", { most, least });
}

/** Who passes, and why. */
export function passText({ side }) {
  return t("say.passed", { side: t(`side.${side}`) });
}

/** Says what happened on the board. */
export function announceEvents({ events, position, game, last }) {
  for (const event of events) {
    if (event.kind === "moved") {
      announce(
        t("say.moved", { side: t(`side.${event.side}`), square: event.square, flips: event.flips.join(" ") }),
      );
    } else if (event.kind === "unmoved") {
      announce(t("say.unmoved", event));
    } else if (event.kind === "passed") {
      announce(passText(event));
    } else if (event.kind === "over") {
      announce(t("say.over", { result: `${resultText(event.result, game)}, ${scoreText(event.result)}` }));
    } else if (event.kind === "jumped") {
      const number = model.tree.nodes.get(model.state.node)?.number ?? 0;
      const side = t(`side.${position.turn}`);
      announce(number > 0 && last ? t("say.position", { n: number, side }) : t("say.start", { side }));
    }
  }
}

/** Says the best move when an analysis has come to its end. */
export function announceAnalysis(before, { node, status, squares }) {
  const ended = status === "done" && before?.node === node && before.status === "running";
  if (ended && squares.length > 0) {
    announce(t("say.analysis", { move: squares[0].square, value: valueSpoken(squares[0].value) }));
  }
}
