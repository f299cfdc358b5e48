// The page: puts the parts together and connects them to the sitting.

import { analyseTab, engineSettings } from "./analyse.js";
import { announce, announcer } from "./announce.js";
import { evaluationBar } from "./bar.js";
import { Board } from "./board.js";
import { openDialog } from "./dialog.js";
import { enable, h, icon, iconButton, set, show } from "./dom.js";
import { editPanel, paint, startEdit } from "./edit.js";
import { Graph } from "./graph.js";
import { choice, choose, tabChoice } from "./keep.js";
import { listenForKeys, openKeys } from "./keys.js";
import { learnTab } from "./learn.js";
import { previewBubble } from "./lines.js";
import { changed, model, puzzling, searching, watch } from "./model.js";
import { MoveList } from "./moves.js";
import { openNewGame } from "./newgame.js";
import { connectionBanner, notices } from "./notice.js";
import { listenForGames, openOpen } from "./open.js";
import { playTab, reviewGame } from "./play.js";
import { scene } from "./scene.js";
import { scoreboard } from "./scoreboard.js";
import { treeStage } from "./searchtree.js";
import { openShare } from "./share.js";
import { connect, openTab, pending, send, takeBackSitting, toggleEngine } from "./sitting.js";
import { language, LANGUAGES, loadTexts, speak, t } from "./texts.js";
import { nextTheme, theme } from "./theme.js";

const TABS = ["play", "analyse", "learn"];

await loadTexts();
model.tab = TABS.includes(tabChoice("tab")) ? tabChoice("tab") : "play";
model.swapped = choice("swapped", false);

const board = new Board({ label: t("app.board"), onPlay: play });
const moves = new MoveList();
const tabs = { play: playTab(moves), analyse: analyseTab(moves), learn: learnTab() };

document.body.prepend(
  h("a", { class: "skip", href: "#board", onclick: skip }, t("app.skip")),
  header(),
  connectionBanner(takeBackSitting),
  h(
    "main",
    { class: "table" },
    h(
      "div",
      { class: "left" },
      h(
        "div",
        { class: "stage" },
        evaluationBar(),
        h("div", { class: "board-box", id: "board" }, board.element),
      ),
      treeStage(),
      controls(),
    ),
    panel(),
    new Graph().element,
  ),
  notices,
  previewBubble,
  announcer,
);
document.querySelector("#loading")?.remove();

watch("state analysis review overlay puzzle edit tab hint peek swap", () => {
  if (!model.state) return;
  const events = pending.events;
  pending.events = [];
  board.draw(scene(), model.edit || puzzling() ? [] : events);
});
watch("tab edit", () => document.body.classList.toggle("searching", searching()));
// A sitting made anew does not know how this tab likes its engine.
watch("welcome", () => send({ type: "analyze", on: tabChoice("engine") === "on", ...engineSettings() }));
watch("state", () => (document.title = titleText()));

listenForGames();
listenForKeys({
  " ": toggleEngine,
  h: () => model.state?.can.hint && send({ type: "hint" }),
  u: () => model.state?.can.take_back && send({ type: "take-back" }),
  n: () => openNewGame(),
  v: () => openOpen(),
  s: openShare,
  f: swapView,
  r: () => model.state?.can.review && reviewGame(),
  b: () => board.focus(),
  e: () => model.state && !model.edit && startEdit(),
  1: () => openTab("play"),
  2: () => openTab("analyse"),
  3: () => openTab("learn"),
  "?": openKeys,
});
changed("link", "tab");
connect();

/** A square was clicked: what that means depends on what the board shows. */
function play(square) {
  const { edit, puzzle, state } = model;
  const legal = (position) => position.legal.some((move) => move.square === square);
  if (edit) {
    paint(square);
  } else if (puzzling()) {
    if (puzzle.status === "open" && legal(puzzle.position)) send({ type: "puzzle-try", square });
  } else if (state?.can.play && legal(state.position)) {
    send({ type: "play", square, node: state.node });
  }
}

/** What a tab in the background should tell. */
function titleText() {
  const { game, position } = model.state;
  const mine = game.status === "going" && game.players[position.turn].spec === "human" && !game.thinking;
  return mine ? `${t("play.to-move", { side: t(`side.${position.turn}`) })} · Obverse` : "Obverse";
}

function skip(event) {
  event.preventDefault();
  board.focus();
}

function swapView() {
  model.swapped = !model.swapped;
  choose("swapped", model.swapped);
  announce(t("do.swap"));
  changed("swap", "state");
}

function header() {
  const words = (name, label, onclick, keys) => {
    const element = h(
      "button",
      { type: "button", class: "words", "aria-label": label, title: `${label} (${keys})`, onclick },
      icon(name),
      h("span", {}, label),
    );
    return element;
  };
  const themeButton = h("button", { type: "button", class: "icon" });
  const drawTheme = () => {
    const label = t("do.theme", { theme: t(`theme.${theme()}`) });
    themeButton.replaceChildren(icon({ light: "sun", dark: "moon", auto: "auto" }[theme()]));
    set(themeButton, "aria-label", label);
    set(themeButton, "title", label);
  };
  themeButton.onclick = () => {
    nextTheme();
    drawTheme();
  };
  drawTheme();
  const languages = h(
    "select",
    { "aria-label": t("do.language"), class: "language" },
    Object.entries(LANGUAGES).map(([code, { name }]) =>
      h("option", { value: code, lang: code, ".selected": code === language }, name),
    ),
  );
  languages.onchange = () => speak(languages.value);
  return h(
    "header",
    { class: "head" },
    h("h1", {}, h("span", { class: "logo", "aria-hidden": "true" }), "Obverse"),
    h(
      "nav",
      {},
      words("plus", t("do.new"), () => openNewGame(), "N"),
      words("open", t("do.open"), () => openOpen(), "V"),
      words("share", t("do.share"), openShare, "S"),
      themeButton,
      languages,
    ),
  );
}

function controls() {
  const walk = (to) => () => send({ type: "walk", to });
  const buttons = {
    first: iconButton("first", t("do.first"), walk("first"), "↑"),
    back: iconButton("back", t("do.back"), walk("back"), "←"),
    forward: iconButton("forward", t("do.forward"), walk("forward"), "→"),
    last: iconButton("last", t("do.last"), walk("last"), "↓"),
    takeBack: iconButton("undo", t("do.take-back"), () => send({ type: "take-back" }), "U"),
    hint: iconButton("hint", t("do.hint"), () => send({ type: "hint" }), "H"),
    swap: iconButton("swap", t("do.swap"), swapView, "F"),
    menu: iconButton("menu", t("do.menu"), openMenu),
  };
  watch("state", () => {
    const { can } = model.state;
    enable(buttons.first, can.back);
    enable(buttons.back, can.back);
    enable(buttons.forward, can.forward);
    enable(buttons.last, can.forward);
    enable(buttons.takeBack, can.take_back);
    enable(buttons.hint, can.hint);
  });
  return h(
    "div",
    { class: "controls", role: "toolbar", "aria-label": t("app.controls") },
    Object.values(buttons),
  );
}

/** What is needed less often. */
function openMenu() {
  if (!model.state) return;
  openDialog(t("do.menu"), (close) => {
    const item = (name, label, does) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "row-button", onclick: () => (close(), does()) },
          icon(name),
          label,
        ),
      );
    const free = model.state.game.status !== "free";
    return h("ul", { class: "menu" }, [
      item("edit", t("do.edit"), startEdit),
      item("play", t("do.from-here"), () => openNewGame("board")),
      ...(free ? [item("search", t("do.free"), () => send({ type: "free" }))] : []),
      ...(deletable()
        ? [item("close", t("moves.delete"), () => send({ type: "delete", node: model.state.node }))]
        : []),
      item("share", t("do.share"), openShare),
      item("keyboard", t("do.keys"), openKeys),
    ]);
  });
}

/** Whether the move on the board may go, with all that follows it: not while a game is played. */
function deletable() {
  const { node, game } = model.state;
  return model.tree.nodes.get(node)?.parent !== null && (game.status === "free" || game.status === "over");
}

function panel() {
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": t("app.panel") });
  const bodies = TABS.map((name) =>
    h(
      "div",
      {
        id: `panel-${name}`,
        class: "tab-panel scrolls",
        role: "tabpanel",
        "aria-labelledby": `tab-${name}`,
        tabindex: "-1",
      },
      tabs[name].element,
    ),
  );
  const heads = TABS.map((name) =>
    h(
      "button",
      {
        type: "button",
        id: `tab-${name}`,
        role: "tab",
        "aria-controls": `panel-${name}`,
        onclick: () => openTab(name),
      },
      t(`tab.${name}`),
    ),
  );
  list.append(...heads);
  list.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const next = (TABS.indexOf(model.tab) + step + TABS.length) % TABS.length;
    openTab(TABS[next]);
    heads[next].focus();
    event.preventDefault();
  };
  const grip = h("button", {
    type: "button",
    class: "grip",
    "aria-label": t("do.sheet"),
    "aria-expanded": "false",
  });
  const element = h(
    "aside",
    { class: "panel", "aria-label": t("app.panel") },
    grip,
    scoreboard(),
    list,
    ...bodies,
    editPanel(),
  );
  grip.onclick = () => set(grip, "aria-expanded", String(element.classList.toggle("tall")));
  dragSheet(grip, element);
  watch("tab edit", () => {
    TABS.forEach((name, place) => {
      const open = name === model.tab;
      set(heads[place], "aria-selected", String(open));
      set(heads[place], "tabindex", open ? "0" : "-1");
      show(bodies[place], open && !model.edit);
      if (open) tabs[name].open();
    });
    show(list, !model.edit);
  });
  return element;
}

/** On a phone the sheet follows the finger up and down. */
function dragSheet(grip, sheet) {
  let from = null;
  grip.onpointerdown = (event) => {
    from = event.clientY;
    grip.setPointerCapture(event.pointerId);
  };
  grip.onpointerup = (event) => {
    const moved = from === null ? 0 : event.clientY - from;
    from = null;
    if (Math.abs(moved) < 24) return;
    sheet.classList.toggle("tall", moved < 0);
    set(grip, "aria-expanded", String(moved < 0));
    grip.addEventListener("click", (click) => click.stopImmediatePropagation(), {
      capture: true,
      once: true,
    });
  };
}
