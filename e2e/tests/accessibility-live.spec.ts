import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { adsWorld } from "../perf/adsWorld.js";
import { BENCH_STATES } from "../perf/benchStates.js";
import { serveFake } from "../perf/fakeBackend.js";
import { LOAD_STATES } from "../perf/loadStates.js";
import { seriousViolations } from "../support/seriousViolations.js";

const dist = fileURLToPath(new URL("../../designer/dist", import.meta.url));

test("should have no serious fault of accessibility while something runs, in the dock and in what opens over it", async ({
  page,
}) => {
  // The server is imitated: what a real binary measures, and when, hangs on the machine.
  const world = { ...adsWorld(true), bench: BENCH_STATES.measured, load: LOAD_STATES.broke, pastMinutes: 2 };
  const { url, stop } = await serveFake(page, dist, world);
  const bothThemes = async (what: string, part: string) => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect.soft(await seriousViolations(page, part), `${what}, ${colorScheme}`).toEqual([]);
    }
  };
  await page.goto(url);
  await page.getByRole("button", { name: /^Use \d+ threads$/ }).waitFor();
  for (const tab of ["Problems", "Build", "Logs", "Metrics", "Bench", "Trace", "Load"]) {
    await page.getByRole("tab", { name: tab, exact: true }).click();
    await bothThemes(tab, ".dock");
  }
  await page.getByTestId("canvas").focus();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await bothThemes("keys", ".dialog");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Command palette" })).toBeVisible();
  await bothThemes("commands", ".command-palette");
  stop();
});

test("should move nothing on and on for who asks for less motion", async ({ page }) => {
  const { url, stop } = await serveFake(page, dist, adsWorld(true));
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto(url);
  await expect(page.getByTestId("canvas")).toBeVisible();
  // What shows that something is at work, wherever it stands.
  const endless = () =>
    page.evaluate(() => {
      const all = document.createElement("div");
      all.innerHTML =
        '<i class="spin"></i><div class="state-pill" data-tone="busy"><i class="state-dot"></i></div>' +
        '<div class="bar"><div data-unknown="true"></div></div><div class="build-progress" data-known="false"><div></div></div>';
      document.body.append(all);
      const moving = document
        .getAnimations()
        .filter((one) => one.effect?.getTiming().iterations === Infinity);
      all.remove();
      return moving.length;
    });
  expect(await endless()).toBeGreaterThanOrEqual(4);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await endless()).toBe(0);
  stop();
});
