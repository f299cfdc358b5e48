// The sitting as the page sees it: messages from the program become the model, wishes become messages.

import { announce, announceAnalysis, announceEvents, passText } from "./announce.js";
import { chooseForTab, keepSaved, keepSitting, moveTo, remember, sitting } from "./keep.js";
import { Link } from "./link.js";
import { changed, model } from "./model.js";
import { notice, showNotice } from "./notice.js";
import { errorText, percent, playerName, t } from "./texts.js";

/** What happened since the board was last drawn; the board takes it. */
export const pending = { events: [] };

const listeners = new Map();

/** Calls `listener` for every message of a type, besides what happens here. */
export function onMessage(type, listener) {
  listeners.set(type, listener);
}

const link = new Link({ greeting: sitting, receive, status });

/** Says hello. */
export function connect() {
  link.connect();
}

/** Sends a wish; without a connection it says so. */
export function send(message) {
  if (!link.send(message)) notice(t("error.offline"), "error");
}

/** Sends a question and waits for the answer; an `error` rejects. */
export function ask(message) {
  return link.ask(message);
}

/** Sends a wish that has no answer of its own and waits until it is granted; an `error` rejects. */
export function wish(message) {
  return link.wish(message);
}

/** The same, with errors shown. */
export async function wishOrTell(message) {
  await link.wish(message).catch((error) => notice(errorText(error), "error"));
}

/** Asks, with errors shown and no answer then. */
export async function askOrTell(message) {
  try {
    return await link.ask(message);
  } catch (error) {
    notice(errorText(error), "error");
    return null;
  }
}

/** Puts the game on the board among the earlier ones, before another takes its place. */
export function rememberGame() {
  const { state, tree } = model;
  if (!state || tree.main.length < 2) return;
  const { players, result } = state.game;
  const names = `${playerName(players.black, "black")} – ${playerName(players.white, "white")}`;
  const size = state.position.size;
  const n = tree.nodes.get(tree.main.at(-1))?.number ?? 0;
  const score = result ? ` ${result.discs.black}–${result.discs.white}` : "";
  remember(`${size}×${size} · ${names}${score} · ${t("games.moves", { n })}`);
}

/** Goes on with an earlier game: a sitting of its own, made from its text. */
export function resumeGame(text) {
  rememberGame();
  moveTo(text);
  link.reconnect();
}

/** Takes the sitting back from another tab. */
export function takeBackSitting() {
  link.connect();
}

function status(now) {
  if (model.link === "lost" && now === "open") announce(t("link.back"));
  model.link = now;
  changed("link");
}

function receive(message) {
  takers[message.type]?.(message);
  listeners.get(message.type)?.(message);
}

const takers = {
  welcome(message) {
    keepSitting(message.sitting);
    model.welcome = message;
    // What is not sent after a welcome is not there.
    Object.assign(model, {
      analysis: null,
      review: null,
      overlay: null,
      puzzle: null,
      hint: null,
      peek: null,
    });
    model.seen.clear();
    changed("welcome", "analysis", "review", "overlay", "puzzle", "hint");
  },
  state(message) {
    const moved = model.state?.node !== message.node;
    model.state = message;
    if (moved) model.hint = null;
    model.peek = null;
    pending.events.push(...message.events);
    announceEvents(message);
    // In a game a pass is easily missed, so it is shown, too.
    const playing = message.game.status === "going" && message.node === message.game.tip;
    for (const event of message.events) if (playing && event.kind === "passed") showNotice(passText(event));
    changed("state", "hint", "peek");
  },
  tree(message) {
    model.tree = { nodes: new Map(message.nodes.map((node) => [node.id, node])), main: message.main };
    for (const node of model.seen.keys()) if (!model.tree.nodes.has(node)) model.seen.delete(node);
    changed("tree");
  },
  analysis(message) {
    const before = model.analysis;
    if (model.state && message.node !== model.state.node) return;
    model.analysis = message;
    if (message.black) model.seen.set(message.node, message.black);
    announceAnalysis(before, message);
    changed("analysis");
  },
  review(message) {
    if (message.status === "none") {
      model.review = null;
      changed("review");
      return;
    }
    model.review = { ...message, moves: new Map(message.moves.map((move) => [move.node, move])) };
    if (message.status === "done" && message.done > 0) sayReview(message.totals);
    changed("review");
  },
  judged({ done, total, move, totals }) {
    if (!model.review) return;
    Object.assign(model.review, { done, total, totals });
    model.review.moves.set(move.node, move);
    changed("review");
  },
  hint(message) {
    model.hint = message;
    announce(t("play.hint", { move: message.move }));
    changed("hint");
  },
  overlay(message) {
    model.overlay = message;
    changed("overlay");
  },
  puzzle(message) {
    model.puzzle = message;
    model.peek = null;
    changed("puzzle", "peek");
  },
  saved({ text }) {
    keepSaved(text);
  },
  error(error) {
    notice(errorText(error), "error");
  },
};

let reviewSaid = null;

function sayReview(totals) {
  const share = (total) => (total.accuracy === null ? "–" : percent(total.accuracy));
  const text = t("say.review", { black: share(totals.black), white: share(totals.white) });
  if (text !== reviewSaid) announce(text);
  reviewSaid = text;
}

/** Goes to a tab of the panel. */
export function openTab(tab) {
  model.tab = tab;
  chooseForTab("tab", tab);
  changed("tab");
}

/** Turns the engine on or off. */
export function toggleEngine() {
  const on = model.analysis?.status !== "running" && model.analysis?.status !== "done";
  chooseForTab("engine", on ? "on" : "off");
  send({ type: "analyze", on });
  announce(t(on ? "say.engine-on" : "say.engine-off"));
}
