// The Analyze tab: the engine and its lines, the review of the game with its mistakes, the moves.

import { select } from "./dialog.js";
import { button, enable, h, iconButton, set, show, sync, write } from "./dom.js";
import { round } from "./graph.js";
import { choice, choose } from "./keep.js";
import { legend } from "./legend.js";
import { lineElement } from "./lines.js";
import { judgedHere, model, valuesShown, watch } from "./model.js";
import { mistakeButtons } from "./moves.js";
import { openTab, send, toggleEngine } from "./sitting.js";
import { percent, playerName, rounded, t } from "./texts.js";
import { discs, look, sureness, surenessText, valueElement } from "./value.js";

const LIMITS = {
  none: { kind: "none" },
  "5s": { kind: "time", time_ms: 5000 },
  "30s": { kind: "time", time_ms: 30_000 },
  d12: { kind: "depth", depth: 12 },
  d20: { kind: "depth", depth: 20 },
};
/** How thorough a review is, as levels of play. */
const EFFORTS = { quick: 8, normal: 12, deep: 18 };

export function analyseTab(moves) {
  const slot = h("div", { class: "slot scrolls" });
  return {
    element: h(
      "div",
      { class: "tab-body" },
      h("div", { class: "top" }, engineRow(), bestLines(), review()),
      slot,
      legend(),
    ),
    open: () => slot.append(moves.element),
  };
}

/** What `analyze` takes besides `on`, as it was chosen last. */
export function engineSettings() {
  return { lines: Number(choice("lines", 3)), limit: LIMITS[choice("limit", "none")] ?? LIMITS.none };
}

function engineRow() {
  const knob = h(
    "button",
    { type: "button", class: "switch", role: "switch", "aria-checked": "false", title: t("keys.space") },
    h("span", { class: "knob" }),
    t("engine.on"),
  );
  knob.onclick = toggleEngine;
  const facts = h("span", { class: "facts" });
  const lines = select(
    t("engine.lines"),
    [0, 1, 2, 3, 5, 8].map((n) => [String(n), String(n)]),
    String(choice("lines", 3)),
    (n) => change("lines", Number(n)),
  );
  const limit = select(
    t("engine.limit"),
    Object.entries(LIMITS).map(([key, value]) => [key, limitText(value)]),
    choice("limit", "none"),
    (key) => change("limit", key),
  );
  const change = (name, value) => {
    choose(name, value);
    send({ type: "analyze", on: knob.ariaChecked === "true", ...engineSettings() });
  };
  watch("analysis state", () => {
    const { analysis } = model;
    const on = analysis?.status === "running" || analysis?.status === "done";
    set(knob, "aria-checked", String(on));
    write(facts, on ? engineFacts(analysis) : "");
    facts.classList.toggle("running", analysis?.status === "running");
  });
  const effort = select(
    t("review.effort"),
    Object.keys(EFFORTS).map((name) => [name, t(`review.${name}`)]),
    choice("effort", "normal"),
    (name) => choose("effort", name),
  );
  const settings = h("div", { class: "settings", hidden: true }, lines, limit, effort);
  const gear = iconButton("gear", t("engine.settings"), () => {
    show(settings, settings.hidden);
    set(gear, "aria-expanded", String(!settings.hidden));
  });
  set(gear, "aria-expanded", "false");
  return h("div", { class: "engine" }, h("div", { class: "engine-row" }, knob, facts, gear), settings);
}

function limitText(limit) {
  if (limit.kind === "time") return t("limit.time", { n: limit.time_ms / 1000 });
  return limit.kind === "depth" ? t("limit.depth", { n: limit.depth }) : t("limit.none");
}

function engineFacts({ squares, nodes, speed }) {
  const values = squares.map(({ value }) => value);
  if (values.length === 0) return "";
  const sure = values.every(({ kind }) => kind === "proven") ? t("engine.proven") : sureness(values[0]);
  return [
    sure,
    t("engine.nodes", { n: rounded(nodes) }),
    speed > 0 ? t("engine.speed", { n: rounded(speed) }) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

function bestLines() {
  const list = h("div", { class: "lines" });
  const empty = h("p", { class: "quiet" });
  watch("analysis state tab", () => {
    const { analysis } = model;
    const live = analysis?.status === "running";
    const lines = valuesShown() ? analysis.lines : [];
    const node = model.state?.node;
    sync(
      list,
      lines,
      (line) => `${node} ${line.moves.join(" ")}`,
      (line) => lineElement(line, () => node, { live }),
      (element, line) => {
        const value = element.firstElementChild;
        set(value, "class", look(line.value, live));
        set(value, "title", surenessText(line.value));
        write(value.firstElementChild, discs(line.value));
        write(value.lastElementChild, sureness(line.value));
      },
    );
    show(empty, lines.length === 0 && engineSettings().lines > 0);
    const why = model.state?.position.over ? "lines.over" : live ? "lines.waiting" : "lines.none";
    write(empty, t(why));
  });
  return h("section", { "aria-label": t("lines.title") }, list, empty);
}

function review() {
  const start = button(t("review.start"), startReview, "primary");
  const stop = button(t("review.stop"), () => send({ type: "stop-review" }));
  const progress = h("progress", { max: 1, value: 0, "aria-label": t("review.title") });
  const progressText = h("span", { class: "quiet" });
  const running = h("div", { class: "review-row", hidden: true }, progress, progressText, stop);
  const totals = h("table", { class: "totals", hidden: true });
  const [previous, next] = mistakeButtons();
  const better = h("div", { class: "better-card", hidden: true });
  const puzzles = button(
    t("review.try"),
    () => {
      model.lesson = "puzzles";
      openTab("learn");
      send({ type: "puzzle", source: "own" });
    },
    "small",
  );
  const idle = h("div", { class: "review-row" }, start, puzzles, previous, next);
  watch("review state tree", () => {
    const { review, state } = model;
    if (!state) return;
    const busy = review?.status === "running";
    show(start, !busy);
    enable(start, state.can.review);
    write(start, t(review && !busy ? "review.again" : "review.start"));
    set(start, "class", review ? "small" : "primary");
    show(running, busy);
    if (busy) {
      set(progress, "max", review.total);
      set(progress, "value", review.done);
      write(progressText, t("review.progress", review));
    }
    const known = !!review && review.moves.size > 0;
    show(totals, known);
    if (known) totals.replaceChildren(...totalsRows(review.totals, state.game));
    show(puzzles, known && !busy);
    show(previous, known);
    show(next, known);
    drawBetter(better);
  });
  return h("section", { class: "review", "aria-label": t("review.title") }, running, totals, idle, better);
}

/** Judges every move, as thoroughly as was chosen last. */
export function startReview() {
  send({
    type: "review",
    effort: { kind: "level", level: EFFORTS[choice("effort", "normal")] ?? EFFORTS.normal },
  });
}

function totalsRows(totals, game) {
  const columns = [
    ["accuracy", ({ accuracy }) => (accuracy === null ? "–" : percent(accuracy))],
    ["mistakes", ({ mistakes }) => String(mistakes)],
    ["blunders", ({ blunders }) => String(blunders)],
    [
      "lost",
      ({ lost, proven }) => [
        round(lost),
        proven > 0
          ? h(
              "small",
              { class: "proven", title: t("review.of-proven", { n: round(proven) }) },
              `✓${round(proven)}`,
            )
          : null,
      ],
    ],
  ];
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, h("span", { class: "unseen" }, t("review.player"))),
    columns.map(([name]) => h("th", { scope: "col" }, t(`review.${name}`))),
  );
  const rows = ["black", "white"].map((side) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("span", { class: `stone ${side}` }), playerName(game.players[side], side)),
      columns.map(([, cell]) => h("td", {}, cell(totals[side]))),
    ),
  );
  return [h("thead", {}, head), h("tbody", {}, rows)];
}

/** What was wrong with the move on the board, and what was better. */
function drawBetter(card) {
  const judged = judgedHere();
  show(card, !!judged);
  if (!judged) return;
  const key = JSON.stringify(judged);
  if (card.dataset.shown === key) return;
  card.dataset.shown = key;
  const fine = judged.best.move === judged.move || judged.loss < 0.05;
  const words = fine
    ? [t("review.best-move", { move: judged.move }), valueElement(judged.value)]
    : [t("review.loses", { move: judged.move, loss: round(judged.loss) }), valueElement(judged.value)];
  const line = { moves: judged.best.line, value: judged.best.value };
  card.className = `better-card ${judged.fault ?? ""}`;
  card.replaceChildren(
    h(
      "p",
      {},
      h("span", { class: `stone ${judged.side}` }),
      words,
      judged.fault ? h("span", { class: "fault-name" }, t(`fault.${judged.fault}`)) : null,
    ),
    ...(fine
      ? []
      : [
          h(
            "div",
            { class: "better-line" },
            h("span", {}, t("review.better", { move: "" })),
            lineElement(line, () => judged.from),
          ),
        ]),
  );
}
