// The Play tab: whose move it is, what can be done, how it ended and what comes next.

import { startReview } from "./analyse.js";
import { resultText, scoreText } from "./announce.js";
import { button, enable, h, show, write } from "./dom.js";
import { confirmation } from "./dialog.js";
import { openNewGame } from "./newgame.js";
import { model, watch } from "./model.js";
import { openTab, rememberGame, send } from "./sitting.js";
import { playerName, signed, t } from "./texts.js";
import { valueElement } from "./value.js";

export function playTab(moves) {
  const status = h("p", { class: "status" });
  const elsewhere = h(
    "div",
    { class: "aside", hidden: true },
    h("span", {}, t("play.elsewhere")),
    button(t("play.to-tip"), () => send({ type: "walk", to: "tip" }), "small"),
  );
  const hint = h("p", { class: "hint-line", hidden: true });
  const buttons = {
    move_now: button(t("play.move-now"), () => send({ type: "move-now" })),
    pause: button(t("play.pause"), () => send({ type: "pause" })),
    resume: button(t("play.resume"), () => send({ type: "resume" }), "primary"),
    take_back: button(t("do.take-back"), () => send({ type: "take-back" })),
    hint: button(t("do.hint"), () => send({ type: "hint" })),
    resign: button(
      t("play.resign"),
      async () => (await confirmation(t("play.resign-sure"), t("play.resign"))) && send({ type: "resign" }),
    ),
  };
  const going = h("div", { class: "buttons" }, Object.values(buttons));
  const result = h("div", { class: "result", hidden: true });
  const review = button(t("play.review"), reviewGame, "primary");
  const rematch = button(t("play.rematch"), () => {
    rememberGame();
    send({ type: "rematch", swap: true });
  });
  const after = h("div", { class: "buttons", hidden: true }, review, rematch);
  const fromHere = button(t("do.from-here"), () => openNewGame("board"));
  const free = h(
    "div",
    { class: "buttons", hidden: true },
    button(t("do.new"), () => openNewGame(), "primary"),
    fromHere,
  );
  const slot = h("div", { class: "slot scrolls" });

  watch("state hint", () => {
    const { state, hint: found } = model;
    if (!state) return;
    const { game, can } = state;
    const over = game.status === "over";
    write(status, statusText(state));
    show(status, !over);
    show(elsewhere, (game.status === "going" || game.status === "paused") && state.node !== game.tip);
    for (const [name, element] of Object.entries(buttons)) {
      enable(element, can[name]);
      if (name !== "take_back" && name !== "hint" && name !== "resign") show(element, can[name]);
    }
    show(going, game.status === "going" || game.status === "paused");
    show(after, over);
    show(result, over);
    enable(review, can.review);
    enable(rematch, can.rematch);
    show(free, game.status === "free");
    enable(fromHere, !state.position.over);
    if (over) result.replaceChildren(...resultLines(game));
    show(hint, found?.node === state.node);
    if (found?.node === state.node)
      hint.replaceChildren(t("play.hint", { move: found.move }), " ", valueElement(found.value));
  });
  return {
    element: h(
      "div",
      { class: "tab-body" },
      h("div", { class: "top" }, status, elsewhere, result, hint, going, after, free),
      slot,
    ),
    open: () => slot.append(moves.element),
  };
}

/** Reviews the game, where the graph and the mistakes can be seen. */
export function reviewGame() {
  startReview();
  openTab("analyse");
}

function statusText({ game, position }) {
  if (game.status === "free") return t("play.free");
  if (game.status === "paused") return t("play.paused");
  const player = game.players[position.turn];
  if (game.thinking) return t("play.thinking", { name: playerName(player, position.turn) });
  const other = game.players[position.turn === "black" ? "white" : "black"];
  return player.spec === "human" && other.spec !== "human"
    ? t("play.your-move")
    : t("play.to-move", { side: t(`side.${position.turn}`) });
}

/** The result, under both countings where they differ. */
function resultLines(game) {
  const { result } = game;
  const lines = [
    h("p", { class: "verdict" }, resultText(result, game)),
    h("p", { class: "score" }, scoreText(result)),
  ];
  const { discs, winner_takes_empties: taken } = result.score;
  if (result.by === "discs" && discs !== taken) {
    const winner = result.winner === "white" ? -1 : 1;
    lines.push(h("p", { class: "quiet" }, t("result.with-empties", { score: signed(taken * winner, true) })));
  }
  return lines;
}
