// How fast it feels. The figures are reported; what is asserted is generous, because the machine may be busy
// with other things.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, eventually, openPage, setUp } from "./support.mjs";

setUp();

test("first values soon after a click", async (context) => {
  const page = await openPage();
  await page.keyboard.press("2");
  await page.keyboard.press(" ");
  await eventually("values", async () => (await page.locator(".chip:not([hidden])").count()) === 4);
  const times = [];
  for (const square of ["f5", "d6", "c3", "d3", "c4"]) {
    times.push(
      await page.evaluate(async (square) => {
        const start = performance.now();
        document.querySelector(`[data-square="${square}"]`).click();
        const { model } = await import("/js/model.js");
        const node = model.state.node;
        // Drawn values of the new position: the frame after they have come.
        while (
          model.state.node === node ||
          model.analysis?.node !== model.state.node ||
          model.analysis.squares.length === 0
        ) {
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return performance.now() - start;
      }, square),
    );
  }
  context.diagnostic(`first values after ${times.map((ms) => Math.round(ms)).join(", ")} ms`);
  assert(Math.min(...times) < 1000, `${times}`);
  assertClean(page);
});

test("frames keep coming while the engine uses every core", async (context) => {
  const page = await openPage();
  await page.keyboard.press("2");
  await page.keyboard.press(" ");
  await eventually("values", async () => (await page.locator(".chip:not([hidden])").count()) === 4);
  const gaps = await page.evaluate(async () => {
    const gaps = [];
    let last = await new Promise(requestAnimationFrame);
    while (gaps.length < 120) {
      const now = await new Promise(requestAnimationFrame);
      gaps.push(now - last);
      last = now;
    }
    return gaps.sort((a, b) => a - b);
  });
  const at = (share) => gaps[Math.floor(gaps.length * share)];
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  context.diagnostic(
    `${(1000 / mean).toFixed(1)} frames a second; a frame takes ${at(0.5).toFixed(1)} ms (half), ${at(0.95).toFixed(1)} ms (95 %)`,
  );
  assert(at(0.5) < 100, `${at(0.5)}`);
  assertClean(page);
});

test("the first load is under 300 kB", async (context) => {
  const page = await openPage();
  const bytes = await page.evaluate(async () => {
    const names = [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)];
    const sizes = await Promise.all(
      [...new Set(names)].map(async (name) => (await (await fetch(name)).arrayBuffer()).byteLength),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  });
  context.diagnostic(`first load: ${bytes} bytes, uncompressed`);
  assert(bytes < 300_000, `${bytes}`);
});
