// Loading and sharing: files with many games, links, notations, pictures, editing.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertClean,
  cell,
  eventually,
  moveTexts,
  newContext,
  openFile,
  openPage,
  paste,
  play,
  server,
  setUp,
  wthor,
} from "./support.mjs";

setUp();

test("a file with several games gives a list that can be searched", async () => {
  const page = await openPage();
  const games = ["Ann Ben f5d6c3", "Cid Dee f5f6e6", "Eve Fay f5f4"].map((line) => line.split(" "));
  const ggf = games.map(([black, white, moves]) => {
    const sides = moves
      .match(/../g)
      .map((move, place) => `${place % 2 ? "W" : "B"}[${move}]`)
      .join("");
    return `(;GM[Othello]PC[Test]DT[2026-01-02]PB[${black}]PW[${white}]RE[?]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]${sides};)`;
  });
  await paste(page, ggf.join("\n"));
  const dialog = page.getByRole("dialog", { name: "3 games" });
  await dialog.waitFor();
  await dialog.getByRole("searchbox").fill("cid");
  assert.equal(await dialog.locator("tbody tr").count(), 1);
  await dialog.getByRole("button", { name: "Cid – Dee" }).click();
  await eventually("it is open", async () => (await moveTexts(page)).join() === "f5,f6,e6");
  assert.deepEqual(await page.locator(".seat-name").allTextContents(), ["Cid", "Dee"]);
  assertClean(page);
});

test("a long list comes in parts", async () => {
  const page = await openPage();
  await openFile(page, "year.wtb", wthor(new Array(450).fill({ moves: "f5d6c3", score: 3 })));
  const dialog = page.getByRole("dialog", { name: "450 games" });
  await dialog.waitFor();
  const rows = dialog.locator("tbody tr");
  await eventually("the first part", async () => (await rows.count()) === 200);
  await rows.last().scrollIntoViewIfNeeded();
  await eventually("another part, by scrolling", async () => (await rows.count()) >= 400);
  await dialog.getByRole("searchbox").fill("2026");
  await eventually("all, for a search", async () => (await rows.count()) === 450);
  assertClean(page);
});

test("a file dropped on the page is opened", async () => {
  const page = await openPage();
  const bytes = [...wthor([{ moves: "f5d6c3", score: 3 }])];
  const transfer = await page.evaluateHandle((data) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(data)], "one.wtb"));
    return transfer;
  }, bytes);
  await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
  await page.getByText("Drop to open").waitFor();
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  await eventually("it is open", async () => (await moveTexts(page)).join() === "f5,d6,c3");
  assertClean(page);
});

test("text pasted on the page is opened", async () => {
  const page = await openPage();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "f5f6e6");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  });
  await eventually("it is open", async () => (await moveTexts(page)).join() === "f5,f6,e6");
  assertClean(page);
});

test("a file that is no game is refused with words", async () => {
  const page = await openPage();
  await openFile(page, "cat.jpg", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]));
  await page.getByRole("dialog").getByRole("alert").waitFor();
  assertClean(page);
});

test("a link holds the game; notations are copied, files and pictures saved", async () => {
  const context = await newContext();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await openPage({ context });
  await play(page, "f5");
  await play(page, "d6");
  await page.getByRole("button", { name: "Share" }).first().click();
  const dialog = page.getByRole("dialog");
  const link = await eventually("a link", () => dialog.getByRole("textbox", { name: "Link" }).inputValue());
  assert(link.startsWith(server.address), link);
  await eventually("moves as text", async () =>
    /f5\s*d6/i.test(await dialog.getByRole("textbox", { name: "Copy as text" }).inputValue()),
  );
  await dialog.getByRole("combobox", { name: "Form" }).selectOption("srn");
  await eventually("the position as text", async () =>
    /^8\/8\/.* b$/.test(await dialog.getByRole("textbox", { name: "Copy as text" }).inputValue()),
  );
  await dialog.getByRole("button", { name: "Copy" }).nth(1).click();
  await dialog.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^8\/8\//);
  for (const [name, file] of [
    ["SGF", /\.sgf$/],
    ["PGN", /\.pgn$/],
    ["GGF", /\.ggf$/],
    ["SVG", /\.svg$/],
    ["PNG", /\.png$/],
  ]) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name }).click(),
    ]);
    assert.match(download.suggestedFilename(), file);
  }
  const other = await openPage({ path: link.slice(server.address.length) });
  await eventually("the same game", async () => (await moveTexts(other)).join() === "f5,d6");
  assert.equal(await other.evaluate(() => location.hash), "", "the address is plain again");
  assertClean(page);
  assertClean(other);
});

test("a position is edited and studied", async () => {
  const page = await openPage();
  await page.getByRole("toolbar").getByRole("button", { name: "Menu" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Edit the position" }).click();
  const editor = page.getByRole("region", { name: "Edit the position" });
  await editor.getByRole("button", { name: "Clear" }).click();
  await editor.getByText("Nobody can move.").waitFor();
  await editor.getByRole("radio", { name: "Black" }).first().check({ force: true });
  await cell(page, "a1").click();
  await editor.getByRole("radio", { name: "White" }).first().check({ force: true });
  await cell(page, "b1").click();
  await cell(page, "c1").click();
  await editor.getByText("Black has one move.").waitFor();
  await editor.getByRole("button", { name: "Study this position" }).click();
  await page.getByRole("tab", { name: "Analyze", selected: true }).waitFor();
  await play(page, "d1");
  await eventually(
    "all black",
    async () => (await page.locator(".count").allTextContents()).join() === "4,0",
  );
  assertClean(page);
});
