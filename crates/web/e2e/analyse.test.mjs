// Analysis: live values, lines, the review of a whole game with its graph and mistakes, variations.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertClean,
  cell,
  eventually,
  moveTexts,
  openFile,
  openPage,
  paste,
  play,
  setUp,
  wthor,
} from "./support.mjs";

setUp();

/** A whole game with a pass and many mistakes. */
const GAME =
  "e6d6c4f6c7c6c5b6a5b4d7e7c3f4f5c8g3d8b5a4g6a3b8a8e8f7a6h5h7b3d3h6g8h8f8e3c2a7d2f2e2e1g1c1b1a1g5d1a2h2h4h3f3f1g7h1b2g4g2b7";

test("values appear on every legal square, say how sure they are, and follow the board", async () => {
  const page = await openPage();
  await page.keyboard.press("2");
  await page.keyboard.press(" ");
  await eventually("four values", async () => (await page.locator(".chip:not([hidden])").count()) === 4);
  await eventually("the best is ringed", async () => (await page.locator(".square.best").count()) >= 1);
  assert.match(
    await cell(page, "f5").getAttribute("aria-label"),
    /^f5, empty, legal, (plus|minus|0).*, (estimate|proven|\d+ % sure)/,
  );
  await eventually("lines", async () => (await page.locator(".lines .line").count()) === 3);
  assert.match(await page.locator(".facts").textContent(), /positions/);

  // A line can be looked at and walked.
  const move = page.locator(".lines .line").first().locator(".line-move").nth(1);
  await move.hover();
  await page.locator(".preview .mini").waitFor();
  await move.click();
  await eventually("two moves are played", async () => (await moveTexts(page)).length === 2);
  await eventually(
    "values for the new position",
    async () => (await page.locator(".chip:not([hidden])").count()) >= 2,
  );
  await page.keyboard.press(" ");
  await eventually(
    "off",
    async () => (await page.getByRole("switch").getAttribute("aria-checked")) === "false",
  );
  assertClean(page);
});

test("a game of a WTHOR file is analyzed to the end, with graph, mistakes and better lines", async () => {
  const page = await openPage();
  await openFile(page, "WTH_2026.wtb", wthor([{ moves: GAME, score: 30 }]));
  await eventually(
    "the game is there, with its pass",
    async () => (await page.locator(".move").count()) === 61,
  );
  await page.getByRole("tab", { name: "Analyze", selected: true }).waitFor();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "How thorough" }).selectOption("quick");
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.getByRole("button", { name: "Review again" }).waitFor();
  assert((await page.locator(".graph .course").count()) >= 2, "estimated and proven stretches");
  assert((await page.locator(".graph .course.proven").count()) >= 1);
  const faults = await page.locator(".graph .fault").count();
  assert(faults >= 1, "dots on mistakes");
  assert.equal(
    await page.locator(".move.mistake, .move.blunder").count(),
    faults,
    "as many in the list as in the graph",
  );
  assert.match(await page.locator(".totals tbody tr").first().textContent(), /\d+%/);

  // From mistake to mistake, each with what was better.
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+ArrowRight");
  await page.locator(".better-card .fault-name").waitFor();
  await page.locator(".better-card .line-move").first().waitFor();
  await page.locator(".square .badge", { hasText: "?" }).first().waitFor();

  // After a click in the list Space is still for the engine.
  await page.locator(".move").nth(50).click();
  await page.keyboard.press(" ");
  await eventually(
    "the engine is on",
    async () => (await page.getByRole("switch").getAttribute("aria-checked")) === "true",
  );
  await eventually(
    "proven values",
    async () => (await page.locator(".chip.proven:not([hidden])").count()) >= 1,
  );
  await page.keyboard.press(" ");

  // The graph walks through the game.
  const track = page.getByRole("slider", { name: "The course of the game" });
  const box = await track.boundingBox();
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2);
  await page.locator(".card").waitFor();
  await page.mouse.down();
  await page.mouse.up();
  await eventually(
    "about there",
    async () => Math.abs(Number(await track.getAttribute("aria-valuenow")) - 24) <= 3,
  );
  await track.press("ArrowRight");
  assertClean(page);
});

test("variations are kept beside the game, folded, promoted and deleted", async () => {
  const page = await openPage();
  await paste(page, "f5d6c3d3c4");
  await eventually("the game is there", async () => (await moveTexts(page)).length === 5);
  await page.keyboard.press("ArrowUp");
  await play(page, "c4");
  await play(page, "c3");
  await eventually("a variation", async () => (await page.locator(".variation .move").count()) === 2);
  const fold = page.locator(".fold");
  await fold.click();
  assert.equal(await fold.getAttribute("aria-expanded"), "false");
  await eventually(
    "one move is left to see",
    async () => (await page.locator(".variation .move:visible").count()) === 1,
  );
  await fold.click();
  await page.getByRole("button", { name: "Make it the main line" }).click();
  await eventually(
    "promoted",
    async () => (await page.locator(".move-row .move-text").first().textContent()) === "c4",
  );
  await page.locator(".variation .move").first().click();
  await page.getByRole("button", { name: "Delete from here" }).click();
  await eventually("gone", async () => (await page.locator(".variation").count()) === 0);
  assertClean(page);
});

test("a mistake in a text is pointed at, and nothing is lost", async () => {
  const page = await openPage();
  await play(page, "f5");
  await eventually("a move", async () => (await moveTexts(page)).length === 1);
  await paste(page, "f5d6z9");
  const problem = page.getByRole("dialog").getByRole("alert");
  await problem.locator("mark").waitFor();
  assert.match(await problem.textContent(), /Line 1, character 5/);
  await page.keyboard.press("Escape");
  assert.deepEqual(await moveTexts(page), ["f5"]);
  assertClean(page);
});
