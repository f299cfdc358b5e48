// Who plays: names, discs, clocks, whose turn it is and who is thinking.

import { h, set, show, write } from "./dom.js";
import { model, puzzling, watch } from "./model.js";
import { playerName, t } from "./texts.js";

const TICK_MS = 200;
const HURRY_MS = 20_000;

export function scoreboard() {
  const sides = { black: seat("black"), white: seat("white") };
  const element = h(
    "section",
    { class: "scoreboard", "aria-label": t("play.discs") },
    sides.black.element,
    sides.white.element,
  );
  let since = 0;
  const clocks = () => {
    const { clocks } = model.state?.game ?? {};
    for (const side of ["black", "white"]) {
      const { clock } = sides[side];
      const left = clocks?.[`${side}_ms`];
      show(clock, left !== null && left !== undefined);
      if (clock.hidden) continue;
      const running = clocks.running === side;
      const now = Math.max(0, left - (running ? performance.now() - since : 0));
      write(clock, clockText(now));
      clock.classList.toggle("running", running);
      clock.classList.toggle("hurry", now < HURRY_MS);
    }
  };
  watch("state", () => (since = performance.now()));
  watch("state puzzle tab edit welcome", () => {
    const { state } = model;
    if (!state) return;
    const position = model.edit?.checked ?? (puzzling() ? model.puzzle.position : state.position);
    for (const side of ["black", "white"]) draw(sides[side], side, position, state);
    clocks();
  });
  setInterval(() => model.state?.game.clocks?.running && clocks(), TICK_MS);
  return element;
}

function seat(side) {
  const name = h("span", { class: "seat-name" });
  const thinking = h("span", { class: "thinking", hidden: true }, h("i"), h("i"), h("i"));
  const clock = h("span", { class: "clock", role: "timer", hidden: true });
  const count = h("span", { class: "count" });
  const element = h(
    "div",
    { class: `seat ${side}` },
    h("span", { class: `stone ${side}` }),
    name,
    thinking,
    clock,
    count,
  );
  return { element, name, thinking, clock, count };
}

function draw({ element, name, thinking, count }, side, position, { game }) {
  const player = game.players[side];
  const human = player.spec === "human" && !player.name;
  const other = game.players[side === "black" ? "white" : "black"];
  const you = human && other.spec !== "human" && game.status !== "free";
  write(name, puzzling() ? t(`side.${side}`) : you ? t("side.you") : playerName(player, side));
  write(count, String(position.discs[side]));
  set(count, "aria-label", `${position.discs[side]} ${t("play.discs")}`);
  const turn = !position.over && position.turn === side && (puzzling() || game.status !== "over");
  element.classList.toggle("turn", turn);
  show(
    thinking,
    !puzzling() && game.thinking && game.status === "going" && game.tip === model.state.node && turn,
  );
}

/** 4:05, or 9.3 in the last seconds. */
function clockText(ms) {
  if (ms < 10_000) return (ms / 1000).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
