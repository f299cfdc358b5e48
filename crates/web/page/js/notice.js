// Short messages at the foot of the page, and the banner that tells about the connection.

import { announce } from "./announce.js";
import { button, h, show, write } from "./dom.js";
import { model, watch } from "./model.js";
import { t } from "./texts.js";

const SHOWN_MS = 5000;

export const notices = h("div", { class: "notices" });

/** Shows a message for a while, and says it. */
export function notice(text, kind = "") {
  showNotice(text, kind);
  announce(text);
}

/** Shows a message that is said elsewhere. */
export function showNotice(text, kind = "") {
  // The same thing twice needs to be said once.
  for (const old of notices.children) if (old.textContent === text) old.remove();
  const element = h("div", { class: `notice ${kind}` }, text);
  element.onclick = () => element.remove();
  notices.append(element);
  setTimeout(() => element.remove(), SHOWN_MS);
}

/** The banner; `onHere` continues a sitting that another tab has taken. */
export function connectionBanner(onHere) {
  const text = h("span", {});
  const here = button(t("link.here"), onHere);
  const reload = button(t("link.reload"), () => location.reload());
  const banner = h("div", { class: "banner", role: "status", hidden: true }, text, here, reload);
  // A connection that is back after a blink needs no banner.
  let timer = 0;
  watch("link", () => {
    clearTimeout(timer);
    const draw = () => {
      show(banner, model.link !== "open");
      write(text, model.link === "open" ? "" : t(`link.${model.link}`));
      show(here, model.link === "taken-over");
      show(reload, model.link === "version");
    };
    if (model.link === "connecting") timer = setTimeout(draw, 1000);
    else draw();
  });
  return banner;
}
