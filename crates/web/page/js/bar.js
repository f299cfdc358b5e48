// The evaluation bar: how the game stands for Black, and how sure that is.

import { h, set, write } from "./dom.js";
import { model, puzzling, valuesShown, watch } from "./model.js";
import { signed, t } from "./texts.js";
import { discs, look, surenessText } from "./value.js";

/** A lead of this many discs fills three quarters of the way. */
const WIDE = 20;

/** The bar: a meter for those who listen, two colors for those who look. */
export function evaluationBar() {
  const fill = h("div", { class: "bar-black" });
  const number = h("span", { class: "bar-number" });
  const bar = h("div", { class: "bar", role: "img", "aria-label": t("bar.none") }, fill, number);
  watch("state analysis review tab puzzle edit swap", () => {
    const value = valueHere();
    bar.classList.toggle("none", !value);
    bar.classList.toggle("swapped", model.swapped);
    const share = value ? 0.5 + 0.5 * Math.tanh(value.discs / WIDE) : 0.5;
    bar.style.setProperty("--black", `${(share * 100).toFixed(1)}%`);
    write(number, value ? signed(value.discs, true) : "");
    set(
      number,
      "class",
      value ? `bar-number ${look(value, model.analysis?.status === "running")}` : "bar-number",
    );
    bar.classList.toggle("black-ahead", !!value && value.discs >= 0);
    for (const kind of ["proven", "selective", "estimate"]) bar.classList.toggle(kind, value?.kind === kind);
    const text = value
      ? t("value.for-black", { value: `${discs(value)}, ${surenessText(value)}` })
      : t("bar.none");
    set(bar, "aria-label", text);
    set(bar, "title", text);
  });
  return bar;
}

function valueHere() {
  if (!model.state || puzzling() || model.edit) return null;
  if (valuesShown() && model.analysis.black) return model.analysis.black;
  if (model.state.game.status === "going") return null;
  return model.review?.moves.get(model.state.node)?.black ?? null;
}
