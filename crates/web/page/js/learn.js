// The Learn tab: overlays, the search tree, puzzles; one at a time.

import { choices } from "./dialog.js";
import { h, set, show, write } from "./dom.js";
import { changed, model, watch } from "./model.js";
import { puzzleLesson } from "./puzzle.js";
import { treeLesson } from "./searchtree.js";
import { send } from "./sitting.js";
import { signed, t } from "./texts.js";

const OVERLAYS = ["none", "square-values", "mobility", "frontier", "stable", "parity"];

export function learnTab() {
  const lessons = { overlays: overlayLesson(), tree: treeLesson(), puzzles: puzzleLesson() };
  const nav = h("div", { class: "segments lessons", role: "group", "aria-label": t("tab.learn") });
  for (const name of Object.keys(lessons)) {
    nav.append(
      h(
        "button",
        { type: "button", "data-lesson": name, onclick: () => openLesson(name) },
        t(`lesson.${name}`),
      ),
    );
  }
  watch("tab", () => {
    for (const item of nav.children) set(item, "aria-pressed", String(item.dataset.lesson === model.lesson));
    for (const [name, element] of Object.entries(lessons)) show(element, name === model.lesson);
  });
  return { element: h("div", { class: "tab-body" }, nav, ...Object.values(lessons)), open() {} };
}

function openLesson(name) {
  model.lesson = name;
  changed("tab");
}

function overlayLesson() {
  const sentence = h("p", { class: "sentence" });
  const sums = h("p", { class: "sums" });
  const heuristic = h("table", { class: "totals" });
  const pick = choices(
    "overlay",
    t("lesson.overlays"),
    OVERLAYS.map((kind) => [kind, t(`overlay.${kind}`)]),
    "none",
    (kind) => send({ type: "overlay", kind }),
  );
  pick.classList.add("stacked");
  watch("overlay tab state", () => {
    const { overlay, state } = model;
    const kind = overlay?.kind ?? "none";
    for (const input of pick.querySelectorAll("input"))
      if (input.value === kind && !input.checked) input.checked = true;
    write(sentence, t(`about.${kind}`));
    show(sums, kind !== "none");
    show(heuristic, kind !== "none");
    if (kind === "none" || !state) return;
    sums.replaceChildren(...(kind === "parity" ? [t("overlay.regions", overlay.sums)] : sideSums(overlay)));
    const part = (name) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, t(`heuristic.${name}`)),
        h("td", {}, signed(overlay.heuristic[name], Number.isInteger(overlay.heuristic[name]))),
      );
    heuristic.replaceChildren(
      h("caption", {}, t("heuristic.title", { side: t(`side.${state.position.turn}`) })),
      h("tbody", {}, ["squares", "parity", "mobility", "total"].map(part)),
    );
  });
  return h("section", { class: "lesson" }, pick, sentence, sums, heuristic);
}

/** Both sides' sums beside their discs; where both can move has a color of its own. */
function sideSums({ kind, sums }) {
  const side = (name) =>
    h(
      "span",
      {},
      h("span", { class: `stone ${name}` }),
      ` ${t(`side.${name}`)} ${String(sums[name]).replace("-", "−")}`,
    );
  const both = h("span", {}, h("span", { class: "stone both" }), ` ${t("overlay.both")}`);
  return [side("black"), side("white"), ...(kind === "mobility" ? [both] : [])];
}
