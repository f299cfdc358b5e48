// Takes the pictures of the README: `npm run pictures` with OBVERSE as for the tests. They are written to
// docs/img; make them small afterwards with `pngquant --ext .png --force docs/img/*.png`.

import { chromium } from "playwright-core";
import { startServer } from "./support.mjs";

const FOLDER = new URL("../../../docs/img/", import.meta.url).pathname;
/** A game of two programs of the middle class, as `obverse show GAME --as ggf` writes it. */
const GGF =
  "(;GM[Othello]PC[Club evening]PB[Aoi]PW[Bruno]TY[8]RE[-12]BO[8 ---------------------------O*------*O--------------------------- *]" +
  "B[E6]W[F6]B[F5]W[D6]B[C5]W[E3]B[F3]W[F4]B[D7]W[C4]B[G3]W[G4]B[E7]W[C7]B[C3]W[F8]B[H5]W[F7]B[C6]W[D3]B[F2]W[E2]" +
  "B[C8]W[H4]B[H3]W[G6]B[G5]W[H6]B[H7]W[D8]B[C2]W[D2]B[D1]W[B1]B[B3]W[F1]B[E8]W[G7]B[H8]W[G8]B[G1]W[H1]B[G2]W[A3]" +
  "B[B2]W[B5]B[B6]W[A6]B[B7]W[B4]B[E1]W[C1]B[A7]W[H2]B[A1]W[A2]B[A4]W[A5]B[PA]W[A8]B[B8];)";

const server = await startServer();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});

async function picture(name, options, scene) {
  const context = await browser.newContext({ locale: "en-US", deviceScaleFactor: 1.5, ...options });
  const page = await context.newPage();
  await page.goto(server.address);
  await page.locator("[role=gridcell]").first().waitFor();
  await scene(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  await context.close();
}

/** The game, reviewed to its end, at one of its moves, with the engine at work for a while. */
const reviewed = (move, engine_ms) => async (page) => {
  await page.keyboard.press("v");
  await page.getByRole("dialog").getByRole("textbox").fill(GGF);
  await page.getByRole("dialog").getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Review the game" }).click();
  await page.getByRole("button", { name: "Review again" }).waitFor({ timeout: 300_000 });
  await page
    .locator(".move")
    .nth(move - 1)
    .click();
  await page.mouse.move(0, 0);
  await page.locator(".tab-panel:visible").evaluate((panel) => (panel.scrollTop = 0));
  await page.keyboard.press(" ");
  await page.waitForTimeout(engine_ms);
};

const DESKTOP = { width: 1280, height: 800 };
await picture("analyze-light", { viewport: DESKTOP, colorScheme: "light" }, reviewed(28, 4000));
await picture("analyze-dark", { viewport: DESKTOP, colorScheme: "dark" }, reviewed(47, 4000));
await picture(
  "phone",
  {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
    colorScheme: "light",
  },
  reviewed(37, 6000),
);
await picture("tree", { viewport: DESKTOP, colorScheme: "light" }, async (page) => {
  await page.keyboard.press("3");
  await page.getByRole("button", { name: "Search tree" }).click();
  await page.locator(".tree-node").first().waitFor();
  await page.getByRole("slider", { name: "Step" }).fill("92");
  await page.getByRole("slider", { name: "Step" }).blur();
});
await browser.close();
await server.stop();
