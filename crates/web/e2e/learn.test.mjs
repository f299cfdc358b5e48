// Learning: overlays, the search tree, puzzles.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, eventually, newGame, openPage, setUp } from "./support.mjs";

setUp();

test("each overlay has a sentence and its numbers", async () => {
  const page = await openPage();
  await page.keyboard.press("3");
  const sentences = new Set();
  for (const [name, squares] of [
    ["Square values", 64],
    ["Mobility", 8],
    ["Frontier", 4],
    ["Parity", 60],
  ]) {
    await page.getByRole("radio", { name }).check({ force: true });
    await eventually(
      `${name} is drawn`,
      async () => (await page.locator(".note:not(:empty)").count()) === squares,
    );
    sentences.add(await page.locator(".lesson .sentence").textContent());
  }
  assert.equal(sentences.size, 4);
  await page.getByRole("radio", { name: "Nothing" }).check({ force: true });
  await eventually("gone", async () => (await page.locator(".note:not(:empty)").count()) === 0);
  assertClean(page);
});

test("the search tree is stepped through, and alpha-beta leaves branches out", async () => {
  const page = await openPage();
  await page.keyboard.press("3");
  await page.getByRole("button", { name: "Search tree" }).click();
  const counts = page.locator(".tree-count");
  await eventually("both are counted", async () =>
    (await counts.allTextContents()).every((text) => /^\d+ of \d+ positions$/.test(text)),
  );
  const [all, some] = (await counts.allTextContents()).map((text) => Number(text.split(" ")[0]));
  assert(some < all, `${some} < ${all}`);
  const panes = page.locator(".tree-pane");
  assert.equal(await panes.nth(0).locator(".tree-node.cut").count(), 0);
  assert.equal(await panes.nth(1).locator(".tree-node.cut").count(), all - some);
  await page.getByRole("slider", { name: "Step" }).fill("1");
  await eventually("one node visited", async () => (await counts.first().textContent()).startsWith("1 of"));
  await page.locator(".steps").getByRole("button", { name: "Forward" }).click();
  await eventually("two nodes visited", async () => (await counts.first().textContent()).startsWith("2 of"));
  await panes.nth(0).locator(".tree-node").nth(3).hover();
  await page.locator(".tree-mini .mini").waitFor();
  assertClean(page);
});

test("a puzzle is tried, refuted, solved, and the game is still there", async () => {
  const page = await openPage();
  await page.locator('.cell.legal[data-square="f5"]').click();
  await page.keyboard.press("3");
  await page.getByRole("button", { name: "Puzzles" }).click();
  await page.getByRole("button", { name: "A new puzzle" }).click();
  await page.locator(".question", { hasText: "one move wins" }).waitFor();
  const squares = await page
    .locator(".cell.legal")
    .evaluateAll((cells) => cells.map((cell) => cell.dataset.square));
  assert(squares.length >= 2);
  for (const square of squares) {
    if (await page.locator(".solution").isVisible()) break;
    const before = await page.locator(".tries li").count();
    await page.locator(`[data-square="${square}"]`).click();
    await eventually(
      "an answer",
      async () =>
        (await page.locator(".tries li").count()) > before || (await page.locator(".solution").isVisible()),
    );
  }
  await page.locator(".solution", { hasText: "Right!" }).waitFor();
  await page.locator(".solution .line-move").nth(1).hover();
  await eventually(
    "the line is shown on the board",
    async () => (await page.locator(".square.last").count()) === 1,
  );
  await page.getByRole("button", { name: "Leave the puzzle" }).click();
  await page.keyboard.press("1");
  await eventually(
    "the game",
    async () => (await page.locator(".move-text").allTextContents()).join() === "f5",
  );
  assertClean(page);
});

test("mistakes of one's own game become puzzles", async () => {
  const page = await openPage();
  await newGame(page, { size: 4, black: "human", white: "human" });
  await eventually("the board is small", async () => (await page.locator(".cell").count()) === 16);
  for (let turn = 0; turn < 12 && !(await page.locator(".verdict").isVisible()); turn++) {
    const before = await page.locator(".move").count();
    await page.locator(".cell.legal").last().click();
    await eventually("the move is made", async () => (await page.locator(".move").count()) > before);
  }
  await page.getByRole("button", { name: "Review this game" }).click();
  await page.getByRole("button", { name: "Review again" }).waitFor();
  assert((await page.locator(".move.mistake, .move.blunder").count()) >= 1, "a mistake");
  await page.getByRole("button", { name: "Puzzles of my mistakes" }).click();
  await page.locator(".question", { hasText: /in the game \d+ discs were lost here/ }).waitFor();
  await page.getByRole("button", { name: "Show me" }).click();
  await page.locator(".solution", { hasText: "It was" }).waitFor();
  assertClean(page);
});
