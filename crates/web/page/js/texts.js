// The words: one table a language, all with the keys of `texts/en.js`. Another language is another file
// and a line in `LANGUAGES`.

import { choice, choose } from "./keep.js";
import english from "./texts/en.js";

/** Every language there is: its name in itself, and where its table is. */
export const LANGUAGES = {
  en: { name: "English", load: async () => english },
  ja: { name: "日本語", load: async () => (await import("./texts/ja.js")).default },
};

/** The language spoken. */
export let language = "en";
let table = english;

/** Chooses the language of the last visit, else the first of the browser's that we have. */
export async function loadTexts() {
  const wished = [choice("language", null), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  language = wished.find((code) => code in LANGUAGES) ?? "en";
  table = await LANGUAGES[language].load();
  document.documentElement.lang = language;
}

/** Speaks another language from now on: everything is drawn anew, and the sitting is still there. */
export function speak(code) {
  choose("language", code);
  location.reload();
}

/** The text of a key, with `{name}` filled in; `key.one` is taken where `n` is 1 and there is one. */
export function t(key, values = {}) {
  const text = (values.n === 1 && table[`${key}.one`]) || table[key] || english[key] || key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Whether there are words for a key. */
export function known(key) {
  return key in table || key in english;
}

/** A whole number with the separators of the language. */
export function number(n) {
  return n.toLocaleString(language);
}

/** A large number, rounded: 1.2 M. */
export function rounded(n) {
  return n.toLocaleString(language, { notation: "compact", maximumFractionDigits: 1 });
}

export function percent(share) {
  return share.toLocaleString(language, { style: "percent", maximumFractionDigits: 0 });
}

/** Discs as people write them: a sign, a true minus, tenths only where they are not exact. */
export function signed(discs, whole = false) {
  const size = Math.abs(discs);
  const digits = whole || size >= 9.95 ? String(Math.round(size)) : size.toFixed(1);
  if (Number(digits) === 0) return whole ? "0" : "0.0";
  return (discs < 0 ? "−" : "+") + digits;
}

/** The same for somebody who listens. */
export function spoken(discs) {
  const size = String(Math.round(Math.abs(discs) * 10) / 10);
  if (Number(size) === 0) return "0";
  return t(discs < 0 ? "say.minus" : "say.plus", { n: size });
}

/** A person's or a program's name. */
export function playerName(player, side) {
  if (player.name) return player.name;
  if (player.key === "human" || player.spec === "human") return t(`side.${side}`);
  return player.key && known(`player.${player.key}`) ? t(`player.${player.key}`) : player.spec;
}

/** An opening's name in the language, if it has one there. */
export function openingName(opening) {
  return (language === "ja" && opening.ja) || opening.en;
}

/** The longest piece of somebody's text that an error repeats. */
const FOUND_MAX = 60;

/** What is wrong, in the person's words where we have them, with what was found and expected. */
export function errorText(error) {
  const key = `error.${error.code}`;
  const { found, expected } = error;
  const values = { found: found?.length > FOUND_MAX ? `${found.slice(0, FOUND_MAX)}…` : found, expected };
  const text = known(key) ? t(key, values) : "";
  // A sentence with a gap says less than the program's own words.
  return text && !/\{(found|expected)\}/.test(text) ? text : error.text || error.code;
}
