// Opening games and positions: pasted text, files, files dropped on the page, lists of games, earlier games,
// links.

import { openDialog } from "./dialog.js";
import { button, h, show, write } from "./dom.js";
import { recent } from "./keep.js";
import { model } from "./model.js";
import { notice } from "./notice.js";
import { onMessage, openTab, rememberGame, resumeGame, send, wish } from "./sitting.js";
import { errorText, language, number, t } from "./texts.js";

/** Opens the dialog, with a text in it. */
export function openOpen(text = "") {
  openDialog(t("open.title"), (close) => content(text, close));
}

function content(text, close) {
  const area = h("textarea", {
    rows: 6,
    spellcheck: "false",
    autocapitalize: "off",
    "aria-label": t("open.text"),
    placeholder: t("open.hint"),
    ".value": text,
  });
  const problem = h("div", { class: "problem", role: "alert", hidden: true });
  const file = h("input", {
    type: "file",
    multiple: true,
    class: "unseen",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  file.onchange = () => tried(() => importFiles(file.files));
  const tried = async (read) => {
    show(problem, false);
    try {
      await read();
      close();
    } catch (error) {
      pointAt(area, problem, error);
    }
  };
  const form = h(
    "form",
    { class: "form" },
    h("p", { class: "quiet" }, t("open.text")),
    area,
    problem,
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "submit", class: "primary" }, t("open.do")),
      button(t("open.file"), () => file.click()),
      file,
      h("span", { class: "quiet" }, t("open.drop")),
    ),
    earlierGames(close),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    if (area.value.trim()) tried(() => importing({ text: area.value }));
  };
  requestAnimationFrame(() => area.focus());
  return form;
}

function earlierGames(close) {
  const games = recent();
  if (games.length === 0) return null;
  const items = games.map(({ text, title, time }) => {
    const when = new Date(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
    return h(
      "li",
      {},
      button(
        h("span", {}, h("span", {}, title), h("small", {}, when)),
        () => {
          close();
          resumeGame(text);
        },
        "row-button",
      ),
    );
  });
  return h(
    "section",
    { class: "recent" },
    h("h3", {}, t("open.recent")),
    h("ul", { class: "scrolls" }, items),
  );
}

/** Shows what is wrong, and points at the character in the text. */
function pointAt(area, problem, error) {
  const parts = [h("p", {}, errorText(error))];
  if (error.at && area.value) {
    const line = area.value.split("\n")[error.at.line - 1] ?? "";
    const column = error.at.column - 1;
    const from = Math.max(0, column - 24);
    const found = [...(error.found ?? " ")].length || 1;
    parts.unshift(h("p", { class: "quiet" }, t("error.unreadable-at", error.at)));
    parts.push(
      h(
        "pre",
        {},
        (from > 0 ? "…" : "") + line.slice(from, column),
        h("mark", {}, line.slice(column, column + found) || " "),
        line.slice(column + found, column + found + 24),
      ),
    );
    area.focus();
    area.setSelectionRange(error.at.offset, Math.min(area.value.length, error.at.offset + found));
  }
  problem.replaceChildren(...parts);
  show(problem, true);
}

async function importing(what) {
  rememberGame();
  await wish({ type: "import", ...what });
  if (model.tab === "play") openTab("analyse");
}

/** WTHOR's files of names come with its games, and before them, so that the list has the names. */
async function importFiles(files) {
  const isNames = ({ name }) => /\.(jou|trn)$/i.test(name);
  for (const file of [...files].sort((a, b) => isNames(b) - isNames(a))) await importFile(file);
}

async function importFile(file) {
  const most = model.welcome?.limits.import_bytes ?? Infinity;
  if (file.size > most) throw { code: "too-large", found: number(file.size), expected: number(most) };
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  // In parts, because a call takes only so many arguments.
  for (let place = 0; place < bytes.length; place += 8192)
    binary += String.fromCharCode(...bytes.subarray(place, place + 8192));
  await importing({ data: btoa(binary), name: file.name });
}

/** Opens files dropped anywhere, text pasted anywhere, the games of a file, and links. */
export function listenForGames() {
  const veil = h("div", { class: "veil", hidden: true }, t("open.dropping"));
  document.body.append(veil);
  let depth = 0;
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    depth++;
    show(veil, true);
  });
  addEventListener("dragleave", () => show(veil, --depth > 0));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    depth = 0;
    show(veil, false);
    const { files } = event.dataTransfer;
    const text = event.dataTransfer.getData("text/plain");
    try {
      if (files.length > 0) await importFiles(files);
      else if (text) await importing({ text });
    } catch (error) {
      if (text) openOpen(text);
      notice(errorText(error), "error");
    }
  });
  addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea, dialog")) return;
    const { files } = event.clipboardData;
    const text = event.clipboardData.getData("text/plain");
    event.preventDefault();
    const read = files.length > 0 ? importFiles(files) : importing({ text });
    read.catch((error) => (text ? openOpenWithError(text) : notice(errorText(error), "error")));
  });
  onMessage("games", showGames);
  onMessage("welcome", openLink);
  addEventListener("hashchange", openLink);
}

/** Text that could not be read is shown in the dialog, where it can be mended. */
function openOpenWithError(text) {
  openOpen(text);
  document.querySelector("dialog form")?.requestSubmit();
}

/** Opens what the address says, once; the address is then the plain one again. */
async function openLink() {
  const fragment = location.hash.slice(1);
  if (!fragment) return;
  history.replaceState(null, "", location.pathname);
  try {
    rememberGame();
    await wish({ type: "open-link", fragment: decodeURIComponent(fragment) });
    openTab("analyse");
  } catch (error) {
    notice(errorText(error), "error");
  }
}

let games = [];
/** The offset asked for last. */
let asked = 0;
let shown = null;

function showGames(message) {
  if (message.offset === 0) {
    games = [];
    asked = 0;
    const words = h("input", {
      type: "search",
      placeholder: t("games.filter"),
      "aria-label": t("games.filter"),
    });
    const body = h("tbody", {});
    const table = h(
      "div",
      {
        class: "games scrolls",
        tabindex: "0",
        role: "group",
        "aria-label": t("games.title", { n: number(message.total) }),
      },
      h("table", {}, body),
    );
    const more = button(t("games.more"), () => {
      // Scrolling asks many times before the answer comes.
      if (asked < games.length) send({ type: "list-games", offset: (asked = games.length) });
    });
    const unread =
      message.unread > 0 ? h("p", { class: "quiet" }, t("games.unread", { n: message.unread })) : null;
    const dialog = openDialog(
      t("games.title", { n: number(message.total) }),
      () => h("div", { class: "form" }, words, table, unread, more),
      { wide: true },
    );
    // More come by themselves when one scrolls to the end of what is there.
    table.onscroll = () =>
      table.scrollTop + table.clientHeight > table.scrollHeight - 200 && !more.hidden && more.click();
    shown = { words, body, more, dialog, total: message.total };
    words.oninput = () => {
      drawGames();
      fetchForSearch();
    };
  }
  if (games.length === message.offset) games.push(...message.games);
  drawGames();
  fetchForSearch();
}

/** A search is through all games, so the rest of the list is fetched for it. */
function fetchForSearch() {
  if (shown.words.value && games.length < shown.total) shown.more.click();
}

function drawGames() {
  const { words, body, more, dialog, total } = shown;
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const texts = ({ black, white, event, date }) => [black, white, event, date].join(" ").toLowerCase();
  const fitting = games.filter((game) => wanted.every((word) => texts(game).includes(word)));
  body.replaceChildren(
    ...fitting.map((game) => {
      const names = h(
        "button",
        { type: "button", class: "row-button" },
        `${game.black ?? t("side.black")} – ${game.white ?? t("side.white")}`,
      );
      names.onclick = async () => {
        rememberGame();
        dialog.close();
        await wish({ type: "open-game", index: game.index }).catch((error) =>
          notice(errorText(error), "error"),
        );
        openTab("analyse");
      };
      const half = (game.size * game.size) / 2;
      const score =
        game.score === null || game.score === undefined
          ? ""
          : `${half + game.score / 2}–${half - game.score / 2}`;
      return h(
        "tr",
        {},
        h("td", {}, names),
        h("td", { class: "score" }, score),
        h("td", { class: "quiet" }, [game.event, game.date].filter(Boolean).join(", ")),
        h("td", { class: "quiet" }, t("games.moves", { n: game.n_moves })),
      );
    }),
  );
  show(more, games.length < total);
  write(more, `${t("games.more")} (${number(games.length)} / ${number(total)})`);
}
