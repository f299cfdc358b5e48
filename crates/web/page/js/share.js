// Sharing: a link, any notation to copy, files to save, pictures of the board.

import { choices, openDialog } from "./dialog.js";
import { button, h, write } from "./dom.js";
import { choice, choose } from "./keep.js";
import { model } from "./model.js";
import { notice } from "./notice.js";
import { ask } from "./sitting.js";
import { errorText, known, t } from "./texts.js";

const PNG_SIDE = 1200;
/** Game files; the rest of the games' forms are for copying. */
const FILES = ["ggf", "sgf", "pgn", "wthor", "obf"];

export function openShare() {
  if (!model.welcome) return;
  openDialog(t("share.title"), content);
}

function content() {
  const link = h("input", { type: "text", readonly: true, "aria-label": t("share.link") });
  const fetchLink = async (game) => {
    const answer = await exported({ type: "share", game: game === "game" });
    if (answer) link.value = `${location.origin}${location.pathname}#${answer.text}`;
  };
  fetchLink("game");
  const texts = model.welcome.forms.filter(({ tells }) => tells !== "picture");
  const text = h("textarea", { rows: 4, readonly: true, "aria-label": t("share.copy-as") });
  const pick = h(
    "select",
    { "aria-label": t("share.form") },
    texts.map(({ form }) =>
      h("option", { value: form, ".selected": form === choice("form", "transcript") }, formName(form)),
    ),
  );
  const writeText = async () => {
    // What a form cannot say is said where its text would be.
    text.value = await ask({ type: "export", form: pick.value }).then((answer) => answer.text, errorText);
  };
  pick.onchange = () => {
    choose("form", pick.value);
    writeText();
  };
  writeText();
  const files = texts
    .filter(({ form }) => FILES.includes(form))
    .map(({ form }) => button(formName(form), () => saveFile(form)));
  const pictures = [button("SVG", () => saveFile("svg")), button("PNG", savePng)];
  return h(
    "div",
    { class: "form" },
    h(
      "section",
      {},
      choices(
        "share",
        t("share.link"),
        [
          ["game", t("share.game")],
          ["position", t("share.position")],
        ],
        "game",
        fetchLink,
      ),
      h(
        "div",
        { class: "copy-row" },
        link,
        copyButton(() => link.value),
      ),
    ),
    h(
      "section",
      {},
      h("h3", {}, t("share.copy-as")),
      h(
        "div",
        { class: "copy-row" },
        pick,
        copyButton(() => text.value),
      ),
      text,
    ),
    h("section", {}, h("h3", {}, t("share.files")), h("div", { class: "buttons" }, files)),
    h("section", {}, h("h3", {}, t("share.picture")), h("div", { class: "buttons" }, pictures)),
  );
}

function formName(form) {
  return known(`form.${form}`) ? t(`form.${form}`) : form.toUpperCase();
}

async function exported(message) {
  try {
    return await ask(message);
  } catch (error) {
    notice(errorText(error), "error");
    return null;
  }
}

function copyButton(textOf) {
  const element = button(t("do.copy"), async () => {
    try {
      await navigator.clipboard.writeText(textOf());
      write(element, t("do.copied"));
      setTimeout(() => write(element, t("do.copy")), 1500);
    } catch {
      // Without the clipboard the text is selected, so that the keyboard can copy it.
      const field = element.parentElement.parentElement.querySelector("input[readonly], textarea");
      field?.select();
    }
  });
  return element;
}

async function saveFile(form) {
  const answer = await exported({ type: "export", form });
  if (answer) save(new Blob([answer.text], { type: answer.media }), answer.file_name || `obverse.${form}`);
}

async function savePng() {
  const answer = await exported({ type: "export", form: "svg" });
  if (!answer) return;
  const address = URL.createObjectURL(new Blob([answer.text], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = h("canvas", {
    width: PNG_SIDE,
    height: Math.round((PNG_SIDE * image.height) / image.width) || PNG_SIDE,
  });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((blob) => save(blob, "obverse.png"), "image/png");
}

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const anchor = h("a", { href: address, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
