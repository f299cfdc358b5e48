// For everybody: keyboard alone, phones, screen readers, both themes, two languages, less motion.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { assertClean, cell, eventually, moveTexts, newGame, openPage, PHONE, setUp } from "./support.mjs";

setUp();

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serious and critical findings of axe-core on the page as it is. */
async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
          .join(" | ")}`,
    );
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing serious, ${colorScheme}`, async () => {
    const page = await openPage({ colorScheme });
    assert.deepEqual(await findings(page), []);
    await page.keyboard.press("2");
    await page.keyboard.press(" ");
    await eventually("values", async () => (await page.locator(".chip:not([hidden])").count()) === 4);
    await page.getByText("How to read the numbers").click();
    assert.deepEqual(await findings(page), []);
    await page.keyboard.press(" ");
    await page.keyboard.press("3");
    await page.locator(".lessons").waitFor();
    assert.deepEqual(await findings(page), []);
    for (const key of ["n", "v", "s", "?"]) {
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
      assert.deepEqual(await findings(page), [], `dialog ${key}`);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    assertClean(page);
  });
}

test("a key pressed while a dialog goes away is not lost", async () => {
  const page = await openPage();
  await page.keyboard.press("v");
  await page.getByRole("dialog").waitFor();
  const opened = await page.evaluate(() => {
    document.querySelector("dialog[open]").close();
    const press = new KeyboardEvent("keydown", { key: "s", bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(press);
    return document.querySelectorAll("dialog[open]").length;
  });
  assert.equal(opened, 1);
  assertClean(page);
});

test("a game with the keyboard alone", async () => {
  const page = await openPage();
  await page.keyboard.press("n");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator(".status", { hasText: "Your move" }).waitFor();
  await page.keyboard.press("b");
  const focused = () => page.evaluate(() => document.activeElement.dataset.square ?? null);
  const first = await focused();
  assert.match(first, /^[a-h][1-8]$/);
  assert.match(await cell(page, first).getAttribute("aria-label"), /legal/);
  // From d3, the first legal square, to f5.
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  assert.equal(await focused(), "f5");
  await page.keyboard.press("Enter");
  await eventually("move and answer", async () => (await moveTexts(page)).length === 2);
  assert.equal((await moveTexts(page))[0], "f5");
  assert.equal(await focused(), "f5", "the focus stays");
  await page.locator(".cell.legal").first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("u");
  await eventually("taken back", async () => (await page.locator(".count").first().textContent()) === "2");
  await page.keyboard.press("h");
  await page.locator(".square.hint").waitFor();
  await page.keyboard.press("f");
  await eventually(
    "seen from the other side",
    async () => (await page.locator(".cell").first().getAttribute("data-square")) === "h8",
  );
  await page.keyboard.press("f");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  await page.getByRole("tab", { name: "Analyze", selected: true }).waitFor();
  // Every button can be reached with the tabulator.
  const reached = new Set();
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press("Tab");
    reached.add(
      await page.evaluate(
        () => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent,
      ),
    );
  }
  for (const name of ["New game", "Share", "Back", "Menu", "Engine", "The course of the game"])
    assert(reached.has(name), `${name} is reached: ${[...reached]}`);
  assertClean(page);
});

test("phone width: everything in sight, large enough for a thumb", async () => {
  const page = await openPage(PHONE);
  await newGame(page, { opponent: "Random", color: "Black" });
  await page.locator('.cell.legal[data-square="f5"]').tap();
  await eventually("an answer", async () => (await moveTexts(page)).length === 2);
  const board = await page.locator(".drawing").boundingBox();
  assert(board.width >= 380 && board.y >= 0 && board.y + board.height <= 844, JSON.stringify(board));
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(width <= 390, `no sideways scrolling: ${width}`);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, [role=tab]")]
      .filter((element) => element.checkVisibility() && !element.classList.contains("grip"))
      .map((element) => [
        element.getAttribute("aria-label") ?? element.textContent,
        element.getBoundingClientRect(),
      ])
      .filter(([, box]) => box.height < 44 || box.width < 40)
      .map(([name, box]) => `${name} ${Math.round(box.width)}×${Math.round(box.height)}`),
  );
  assert.deepEqual(small, []);
  const controls = await page.getByRole("toolbar").boundingBox();
  assert(controls.y + controls.height > 820, "controls at the thumb");
  await page.getByRole("button", { name: "Larger or smaller panel" }).click();
  await eventually("a tall sheet", async () => (await page.locator(".panel").boundingBox()).height > 450);
  await page.getByRole("tab", { name: "Learn" }).click();
  assert.deepEqual(await findings(page), []);
  assertClean(page);
});

test("a phone lying down shows board and controls", async () => {
  const page = await openPage({ ...PHONE, viewport: { width: 844, height: 390 } });
  for (const selector of [".drawing", ".controls", ".tabs"]) {
    const box = await page.locator(selector).boundingBox();
    assert(
      box.y >= 0 && box.y + box.height <= 391 && box.x + box.width <= 845,
      `${selector} ${JSON.stringify(box)}`,
    );
  }
  assertClean(page);
});

test("Japanese is spoken throughout", async () => {
  const page = await openPage({ locale: "ja-JP" });
  assert.equal(await page.evaluate(() => document.documentElement.lang), "ja");
  await page.getByRole("tab", { name: "解析" }).waitFor();
  await page.getByRole("combobox", { name: "言語" }).selectOption("en");
  await page.getByRole("tab", { name: "Analyze" }).waitFor();
  assertClean(page);
});

test("every language has the same keys, and the page asks for none that is missing", async () => {
  const folder = new URL("../page/js/", import.meta.url);
  const load = async (name) => (await import(new URL(`texts/${name}.js`, folder))).default;
  const [english, japanese] = await Promise.all(["en", "ja"].map(load));
  const plain = (table) =>
    Object.keys(table)
      .filter((key) => !key.endsWith(".one"))
      .sort();
  assert.deepEqual(plain(japanese), plain(english));
  const { readdir } = await import("node:fs/promises");
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".js"))) {
    const source = await readFile(new URL(name, folder), "utf8");
    for (const [, key] of source.matchAll(/\bt\("([a-z.-]+)"/g))
      assert(key in english, `${name} asks for ${key}`);
  }
});

test("the theme is chosen, kept and goes back to the system's", async () => {
  const page = await openPage({ colorScheme: "light" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body.parentElement).backgroundColor);
  const light = await ground();
  const button = page.getByRole("button", { name: /^Theme/ });
  await button.click();
  await button.click();
  const dark = await ground();
  assert.notEqual(dark, light);
  await page.reload();
  await page.locator("[role=gridcell]").first().waitFor();
  assert.equal(await ground(), dark);
  await button.click();
  assert.equal(await ground(), light);
});

test("with less motion nothing is animated", async () => {
  const page = await openPage({ reducedMotion: "reduce" });
  await page.locator('.cell.legal[data-square="f5"]').click();
  await eventually("a move", async () => (await moveTexts(page)).length === 1);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
});
