// How to read the numbers: the same signs as everywhere, explained.

import { h } from "./dom.js";
import { t } from "./texts.js";
import { valueElement } from "./value.js";

const EXAMPLES = [
  { discs: 4, kind: "proven" },
  { discs: 4, kind: "selective", percent: 95 },
  { discs: 3.4, kind: "estimate", depth: 14 },
];
const STEPS = ["legend.best", "0.5", "2", "4", "10"];

export function legend() {
  const rows = EXAMPLES.map((value) =>
    h("li", {}, valueElement(value), h("span", {}, t(`legend.${value.kind}`))),
  );
  rows.push(h("li", {}, valueElement(EXAMPLES[2], true), h("span", {}, t("legend.live"))));
  const scale = h(
    "div",
    { class: "scale", role: "img", "aria-label": t("legend.loss") },
    STEPS.map((step, place) =>
      h("span", { class: `swatch loss${place}` }, place === 0 ? t(step) : `≥ ${step}`),
    ),
  );
  return h(
    "details",
    { class: "legend" },
    h("summary", {}, t("legend.title")),
    h("ul", {}, rows),
    h("p", { class: "quiet" }, t("legend.loss")),
    scale,
    h("p", { class: "quiet" }, t("legend.marks")),
  );
}
