// The dialog for a new game: plain names first, everything else folded away. It remembers the last choice.

import { choices, openDialog, select } from "./dialog.js";
import { button, h, show } from "./dom.js";
import { choice, choose } from "./keep.js";
import { model } from "./model.js";
import { openTab, rememberGame, wish } from "./sitting.js";
import { errorText, t } from "./texts.js";

const MINUTE_MS = 60_000;
/** Minutes and seconds a move, or none. */
const CLOCKS = new Map([
  ["none", null],
  ["1+0", [1, 0]],
  ["3+2", [3, 2]],
  ["5+0", [5, 0]],
  ["10+0", [10, 0]],
  ["25+0", [25, 0]],
]);
const USUAL = {
  size: 8,
  opponent: "club",
  color: "black",
  clock: "none",
  start: "standard",
  counting: "winner-takes-empties",
  both: false,
  black: "human",
  white: "club",
  typed: "engine:level=9",
  text: "",
};

/** Opens the dialog; `start` sets from where the game begins. */
export function openNewGame(start) {
  if (!model.welcome) return;
  const form = { ...USUAL, ...choice("new-game", {}), start: start ?? "standard" };
  openDialog(t("new.title"), (close) => content(form, close));
}

function content(form, close) {
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const opponents = h("fieldset", { class: "opponents" });
  const color = choices(
    "color",
    t("new.color"),
    [
      ["black", t("side.black")],
      ["white", t("side.white")],
      ["random", t("new.random")],
    ],
    form.color,
    (value) => (form.color = value),
  );
  const both = h("div", { class: "fields" });
  const typed = textField(t("new.custom-text"), form.typed, (value) => (form.typed = value));
  const text = textField(t("new.start-text"), form.text, (value) => (form.text = value));
  const start = h("div", {});
  const draw = () => {
    drawOpponents(opponents, form, draw);
    start.replaceChildren(
      select(
        t("new.start"),
        starts(form).map((name) => [name, t(`start.${name}`)]),
        form.start,
        (value) => {
          form.start = value;
          draw();
        },
      ),
    );
    both.replaceChildren(
      ...["black", "white"].map((side) =>
        select(t(`new.${side}`), seats(form), form[side], (value) => {
          form[side] = value;
          draw();
        }),
      ),
    );
    show(both, form.both);
    show(color, !form.both && form.opponent !== "human");
    show(opponents, !form.both);
    show(typed, form.both && (form.black === "custom" || form.white === "custom"));
    show(text, form.start === "text");
  };
  const bothBox = h("input", { type: "checkbox", ".checked": form.both });
  bothBox.onchange = () => {
    form.both = bothBox.checked;
    draw();
  };
  draw();
  const size = choices(
    "size",
    t("new.board"),
    model.welcome.starts.map(({ size }) => [size, `${size}×${size}`]).reverse(),
    form.size,
    (value) => {
      form.size = Number(value);
      draw();
    },
  );
  const clock = choices(
    "clock",
    t("new.clock"),
    [...CLOCKS].map(([key, setting]) => [key, clockText(setting)]),
    form.clock,
    (value) => (form.clock = value),
  );
  const counting = select(
    t("new.counting"),
    ["winner-takes-empties", "discs"].map((name) => [name, t(`counting.${name}`)]),
    form.counting,
    (value) => (form.counting = value),
  );
  const more = h(
    "details",
    { class: "more", ".open": form.both || form.start !== "standard" },
    h("summary", {}, t("new.more")),
    h(
      "div",
      { class: "fields" },
      start,
      text,
      counting,
      h("label", { class: "check" }, bothBox, t("new.both")),
      both,
      typed,
    ),
  );
  const body = h(
    "form",
    { class: "form" },
    size,
    opponents,
    color,
    clock,
    more,
    problem,
    h(
      "div",
      { class: "buttons end" },
      button(t("do.cancel"), close),
      h("button", { type: "submit", class: "primary" }, t("new.begin")),
    ),
  );
  body.onsubmit = async (event) => {
    event.preventDefault();
    choose("new-game", { ...form, start: undefined });
    rememberGame();
    try {
      await wish(message(form));
      openTab("play");
      close();
    } catch (error) {
      problem.textContent = errorText(error);
      show(problem, true);
    }
  };
  return body;
}

function drawOpponents(into, form, draw) {
  const players = model.welcome.players.filter(({ sizes }) => sizes.includes(form.size));
  const keys = ["human", ...players.map(({ key }) => key)];
  if (!keys.includes(form.opponent)) form.opponent = keys.includes("club") ? "club" : keys.at(-1);
  const drawn = [...into.querySelectorAll("input")].map((input) => input.value);
  // Drawn anew only for another board: the focus is in there.
  if (drawn.join() === keys.join()) return;
  into.replaceChildren(
    h("legend", {}, t("new.opponent")),
    h(
      "div",
      { class: "opponent-list" },
      keys.map((key) => {
        const input = h("input", {
          type: "radio",
          name: "opponent",
          value: key,
          ".checked": key === form.opponent,
        });
        input.onchange = () => {
          form.opponent = key;
          draw();
        };
        return h(
          "label",
          { class: "opponent" },
          input,
          h("span", {}, h("strong", {}, t(`player.${key}`)), h("small", {}, t(`about.${key}`))),
        );
      }),
    ),
  );
  requestAnimationFrame(() =>
    into.querySelector("input:checked")?.closest("label").scrollIntoView({ block: "nearest" }),
  );
}

function starts(form) {
  return ["standard", "mirrored", ...(form.size === 8 ? ["xot"] : []), "board", "text"];
}

function seats(form) {
  const players = model.welcome.players.filter(({ sizes }) => sizes.includes(form.size));
  return [
    ["human", t("player.human")],
    ...players.map(({ key }) => [key, t(`player.${key}`)]),
    ["custom", t("new.custom")],
  ];
}

function textField(label, value, oninput) {
  const input = h("input", { type: "text", ".value": value, spellcheck: "false", autocapitalize: "off" });
  input.oninput = () => oninput(input.value);
  return h("label", { class: "field" }, h("span", {}, label), input);
}

function clockText(setting) {
  if (!setting) return t("clock.none");
  const [n, s] = setting;
  return t(s ? "clock.increment" : "clock.minutes", { n, s });
}

function message(form) {
  const spec = (key) =>
    key === "custom"
      ? form.typed
      : (model.welcome.players.find((player) => player.key === key)?.spec ?? "human");
  const mine = form.color === "random" ? (Math.random() < 0.5 ? "black" : "white") : form.color;
  const seat = (side) => (form.both ? spec(form[side]) : side === mine ? "human" : spec(form.opponent));
  const start = form.start === "text" ? { kind: "text", text: form.text } : { kind: form.start };
  const wish = {
    type: "new-game",
    size: form.size,
    black: seat("black"),
    white: seat("white"),
    start,
    counting: form.counting,
  };
  const setting = CLOCKS.get(form.clock);
  if (setting) {
    const clock = { time_ms: setting[0] * MINUTE_MS, increment_ms: setting[1] * 1000 };
    Object.assign(wish, { black_clock: clock, white_clock: clock });
  }
  return wish;
}
