// Nothing is lost: reloads, other tabs, a server that is restarted, games that were replaced.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertClean,
  eventually,
  moveTexts,
  newContext,
  newGame,
  openPage,
  play,
  server,
  setUp,
  startServer,
} from "./support.mjs";

setUp();

const WHILE_AWAY = [/WebSocket connection .* failed/, /ERR_CONNECTION_REFUSED/];

test("a reload keeps the game and the tab", async () => {
  const page = await openPage();
  await play(page, "f5");
  await play(page, "d6");
  await page.keyboard.press("2");
  await page.reload();
  await eventually("the moves are there", async () => (await moveTexts(page)).join() === "f5,d6");
  await page.getByRole("tab", { name: "Analyze", selected: true }).waitFor();
  assertClean(page);
});

test("two tabs: the second goes on from the first, and then each has its own game", async () => {
  const context = await newContext();
  const one = await openPage({ context });
  await play(one, "f5");
  await eventually(
    "kept",
    async () => (await one.evaluate(() => localStorage.getItem("obverse.saved"))) !== null,
  );
  await eventually("one move", async () => (await moveTexts(one)).length === 1);
  await one.waitForTimeout(300);
  const two = await openPage({ context });
  await eventually("the same game", async () => (await moveTexts(two)).join() === "f5");
  await play(two, "f6");
  await eventually("two moves here", async () => (await moveTexts(two)).length === 2);
  assert.deepEqual(await moveTexts(one), ["f5"]);
  await play(one, "d6");
  await eventually("another move there", async () => (await moveTexts(one)).join() === "f5,d6");
  assert.deepEqual(await moveTexts(two), ["f5", "f6"]);
  assertClean(one);
  assertClean(two);
});

test("a server restart is told, and heals by itself without losing the game", async () => {
  const own = await startServer();
  const context = await newContext();
  const page = await openPage({ context, expectErrors: WHILE_AWAY, path: "" });
  await page.goto(own.address);
  await page.locator("[role=gridcell]").first().waitFor();
  await newGame(page, { black: "human", white: "human" });
  for (const square of ["f5", "f6", "e6"]) await play(page, square);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await play(page, "d6");
  await eventually("four moves", async () => (await moveTexts(page)).length === 4);
  const before = await moveTexts(page);
  await page.waitForTimeout(300);
  await own.stop();
  await page.getByText("The program does not answer.").waitFor();
  assert.deepEqual(await moveTexts(page), before, "the board stays");
  const again = await startServer(own.port);
  await page.getByText("The program does not answer.").waitFor({ state: "hidden" });
  await eventually("the same moves", async () => (await moveTexts(page)).join() === before.join());
  await page.locator(".cell.legal").first().click();
  await eventually("the game goes on", async () => (await moveTexts(page)).length === 5);
  assertClean(page);
  await page.close();
  await again.stop();
});

test("a game that another replaces can be found again", async () => {
  const page = await openPage();
  await play(page, "f5");
  await play(page, "f4");
  await eventually("two moves", async () => (await moveTexts(page)).length === 2);
  await page.waitForTimeout(300);
  await newGame(page, { opponent: "Random", color: "Black" });
  await eventually("a new game", async () => (await moveTexts(page)).length === 0);
  await page.keyboard.press("v");
  await page.getByRole("dialog").locator(".recent button").first().click();
  await eventually("the old game", async () => (await moveTexts(page)).join() === "f5,f4");
  assertClean(page);
});

test("the same sitting in a copied tab is taken over, and can be taken back", async () => {
  const context = await newContext();
  const one = await openPage({ context });
  await play(one, "f5");
  await eventually("one move", async () => (await moveTexts(one)).length === 1);
  const kept = await one.evaluate(() => ({ ...sessionStorage }));
  const two = await context.newPage();
  await two.addInitScript(
    (items) => Object.entries(items).forEach(([key, value]) => sessionStorage.setItem(key, value)),
    kept,
  );
  await two.goto(server.address);
  await eventually("it is here", async () => (await moveTexts(two)).length === 1);
  await one.getByText("This board is open in another tab.").waitFor();
  await one.getByRole("button", { name: "Go on here" }).click();
  await one.getByText("This board is open in another tab.").waitFor({ state: "hidden" });
  await two.getByText("This board is open in another tab.").waitFor();
  assertClean(one);
});
