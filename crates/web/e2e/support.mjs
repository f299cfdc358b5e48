// What every test of the page needs: a server on a free port, a browser, and a page that fails the test when
// it says anything wrong on its console or asks another host.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const BINARY = process.env.OBVERSE;
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
assert(BINARY, "OBVERSE must name the program to test; `cargo xtask browser` does");

/** Long enough for a machine that does other things too. */
export const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 30_000);

let browser;
let contexts = [];
export let server;

/** Sets up a browser and a server for a file of tests. */
export function setUp() {
  before(async () => {
    // Root may not use Chromium's sandbox, and containers have little shared memory.
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
    });
    server = await startServer();
  });
  after(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
    await browser?.close();
    await server?.stop();
  });
}

/** Starts the program on a port, or on a free one. */
export async function startServer(port) {
  port ??= await freePort();
  // While working on the page it can be served from its folder, so that nothing needs to be built.
  const page = process.env.OBVERSE_PAGE ? ["--page", process.env.OBVERSE_PAGE] : [];
  const child = spawn(BINARY, ["serve", "--no-open", "--addr", `127.0.0.1:${port}`, ...page], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  child.stderr.on("data", (data) => (said += data));
  const address = `http://127.0.0.1:${port}/`;
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${said}`);
    if (
      await fetch(address).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      break;
    if (Date.now() > until) throw new Error(`the server does not answer: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    address,
    port,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A new person: a browser without history. */
export async function newContext(options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-US",
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  contexts.push(context);
  return context;
}

/** A page of the app in a context, or in one of its own, ready to be used. */
export async function openPage({ context, path = "", expectErrors = [], ...options } = {}) {
  context ??= await newContext(options);
  const page = await context.newPage();
  page.wrongs = [];
  page.requests = [];
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    if (expectErrors.some((pattern) => pattern.test(message.text()))) return;
    page.wrongs.push(message.text());
  });
  page.on("pageerror", (error) => page.wrongs.push(String(error.stack ?? error)));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.goto(server.address + path);
  await page.locator("[role=gridcell]").first().waitFor();
  return page;
}

/** Nothing was wrong, and nobody else was asked. */
export function assertClean(page) {
  assert.deepEqual(page.wrongs, []);
  const foreign = page.requests.filter((url) => !/^(http:\/\/127\.0\.0\.1|data:|blob:)/.test(url));
  assert.deepEqual(foreign, []);
}

/** Begins a game through the dialog: `{ size, opponent, color, black, white, start, text }`. */
export async function newGame(page, { size = 8, opponent, color, black, white, typed, start, text } = {}) {
  await page.getByRole("button", { name: "New game" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: `${size}×${size}` }).check({ force: true });
  if (opponent) await dialog.getByRole("radio", { name: opponent }).check({ force: true });
  if (color)
    await dialog
      .getByRole("group", { name: "You play" })
      .getByRole("radio", { name: color })
      .check({ force: true });
  const more = dialog.locator("details.more");
  if ((black || white || start) && !(await more.evaluate((element) => element.open)))
    await dialog.getByText("More choices").click();
  const both = dialog.getByRole("checkbox", { name: "Choose both players myself" });
  if (await both.isVisible()) await both.setChecked(!!(black || white));
  if (black) await dialog.getByRole("combobox", { name: "Black" }).selectOption(black);
  if (white) await dialog.getByRole("combobox", { name: "White" }).selectOption(white);
  if (typed) await dialog.getByRole("textbox", { name: "Player" }).fill(typed);
  if (start) await dialog.getByRole("combobox", { name: "Begin from" }).selectOption(start);
  if (text) await dialog.getByRole("textbox", { name: "Moves or position" }).fill(text);
  await dialog.getByRole("button", { name: "Begin" }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Opens a text through the dialog. */
export async function paste(page, text) {
  await page.getByRole("button", { name: "Open" }).first().click();
  await page.getByRole("dialog").getByRole("textbox").fill(text);
  await page.getByRole("dialog").getByRole("button", { name: "Open", exact: true }).click();
}

/** Opens a file through the dialog. */
export async function openFile(page, name, buffer) {
  await page.getByRole("button", { name: "Open" }).first().click();
  await page
    .locator("dialog input[type=file]")
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer });
}

/** A WTHOR file of games: `{ moves, score }` with Black's discs at the end. */
export function wthor(games) {
  const file = Buffer.alloc(16 + 68 * games.length);
  file.set([20, 26, 1, 1]);
  file.writeUInt32LE(games.length, 4);
  file.writeUInt16LE(2026, 10);
  file[12] = 8;
  games.forEach(({ moves, score }, game) => {
    const at = 16 + 68 * game;
    file[at + 6] = score;
    file[at + 7] = score;
    moves
      .match(/../g)
      .forEach(
        (move, place) => (file[at + 8 + place] = Number(move[1]) * 10 + "abcdefgh".indexOf(move[0]) + 1),
      );
  });
  return file;
}

/** Plays a move when it is possible. */
export async function play(page, square) {
  await page.locator(`.cell.legal[data-square="${square}"]`).click();
}

/** The moves of the list, as they are read. */
export async function moveTexts(page) {
  return page.locator(".move-text").allTextContents();
}

/** The label of a square. */
export function cell(page, square) {
  return page.locator(`[data-square="${square}"]`);
}

/** Waits until an expression about the page holds. */
export async function eventually(what, condition) {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > until) assert.fail(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}
