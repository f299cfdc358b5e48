// Playing: whole games on every board, passes, taking back, hints, resigning, rematches.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, cell, eventually, moveTexts, newGame, openPage, play, setUp } from "./support.mjs";

setUp();

/** Plays the first legal square whenever it is the person's turn, until the game is over. */
async function playToTheEnd(page) {
  const verdict = page.locator(".verdict");
  for (let turn = 0; turn < 64; turn++) {
    await page.locator(".verdict, .cell.legal").first().waitFor();
    if (await verdict.isVisible()) return;
    const moves = page.locator(".move");
    const before = await moves.count();
    await page.locator(".cell.legal").first().click();
    await eventually("the move is made", async () => (await moves.count()) > before);
  }
}

test("a whole game against the engine, reviewed, and a rematch", async () => {
  const page = await openPage();
  await newGame(page, { opponent: "Beginner", color: "Black" });
  await page.locator(".status", { hasText: "Your move" }).waitFor();
  await playToTheEnd(page);
  const counts = (await page.locator(".count").allTextContents()).map(Number);
  assert(counts[0] + counts[1] <= 64 && counts[0] + counts[1] > 12, `${counts}`);
  const score = await page.locator(".result .score").textContent();
  assert.equal(score, `${Math.max(...counts)} to ${Math.min(...counts)}`);

  await page.getByRole("button", { name: "Review this game" }).click();
  await page.getByRole("tab", { name: "Analyze", selected: true }).waitFor();
  await page.locator(".totals td").first().waitFor();
  await page.getByRole("tab", { name: "Play" }).click();
  await page.getByRole("button", { name: "Rematch" }).click();
  await eventually(
    "colors are exchanged",
    async () => (await page.locator(".seat.white .seat-name").textContent()) === "You",
  );
  assertClean(page);
});

test("4×4 and 6×6 games come to their end", async () => {
  for (const size of [4, 6]) {
    const page = await openPage();
    await newGame(page, { size, opponent: "Random", color: "White" });
    await eventually(
      "the board has its size",
      async () => (await page.locator(".cell").count()) === size * size,
    );
    await playToTheEnd(page);
    await page.locator(".verdict").waitFor();
    assertClean(page);
    await page.close();
  }
});

test("a pass is made, announced and shown", async () => {
  const page = await openPage();
  await newGame(page, { size: 4, black: "human", white: "human" });
  await eventually("the board is small", async () => (await page.locator(".cell").count()) === 16);
  for (const square of ["b1", "c1", "d3", "a1"]) await play(page, square);
  await page.locator(".move.pass").waitFor();
  assert.deepEqual(await moveTexts(page), ["b1", "c1", "d3", "a1", "pass"]);
  const said = await eventually("it is said", async () =>
    (await page.locator("[aria-live]").allTextContents()).find((text) => text.includes("passes")),
  );
  assert.match(said, /Black has no move and passes\./);
  await page.locator(".notice", { hasText: "Black has no move and passes." }).waitFor();
  await page.locator(".seat.white.turn").waitFor();
  assertClean(page);
});

test("take back, hint, walk away and return, resign", async () => {
  const page = await openPage();
  await newGame(page, { opponent: "Beginner", color: "Black" });
  await play(page, "f5");
  await eventually("the engine answers", async () => (await moveTexts(page)).length === 2);
  const answer = (await moveTexts(page))[1];
  await page.locator(".cell.legal").first().waitFor();

  await page.getByRole("toolbar").getByRole("button", { name: "Take back" }).click();
  await eventually(
    "both moves are off the board",
    async () => (await page.locator(".count").first().textContent()) === "2",
  );
  assert.deepEqual(await moveTexts(page), ["f5", answer], "what is taken back stays as a variation");

  await page.getByRole("toolbar").getByRole("button", { name: "Hint" }).click();
  await page.locator(".square.hint").waitFor();
  await page.locator(".hint-line .value").waitFor();

  await play(page, "d3");
  await page.locator(".cell.legal").first().waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByText("You are looking at another position.").waitFor();
  await page.getByRole("button", { name: "Back to the game" }).click();
  await page.getByText("You are looking at another position.").waitFor({ state: "hidden" });

  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await page.locator(".verdict", { hasText: "White wins by resignation" }).waitFor();
  assertClean(page);
});

test("two programs play, wait and go on", async () => {
  const page = await openPage();
  await newGame(page, { size: 6, black: "custom", white: "custom", typed: "engine:time=150ms" });
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
  const stopped = (await moveTexts(page)).length;
  await page.getByRole("button", { name: "Go on" }).click();
  await eventually("it goes on", async () => (await moveTexts(page)).length > stopped + 1);
  assertClean(page);
});

test("an illegal click does nothing, and a legal one tells what it flips", async () => {
  const page = await openPage();
  await cell(page, "a1").click();
  assert.deepEqual(await moveTexts(page), []);
  await cell(page, "f5").hover();
  await page.locator(".square.would-flip").waitFor();
  assert.equal(await page.locator(".square.would-flip").count(), 1);
  await play(page, "f5");
  await eventually(
    "the disc is there",
    async () => (await cell(page, "f5").getAttribute("aria-label")) === "f5, Black, last move",
  );
  assert.equal(await cell(page, "e5").getAttribute("aria-label"), "e5, Black");
  assertClean(page);
});
