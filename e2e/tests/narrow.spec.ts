import { fileURLToPath } from "node:url";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { adsWorld } from "../perf/adsWorld.js";
import { serveFake } from "../perf/fakeBackend.js";
import { gridWorld } from "../perf/gridWorld.js";
import { LOAD_STATES } from "../perf/loadStates.js";
import { standsStill } from "../support/standsStill.js";

const dist = fileURLToPath(new URL("../../designer/dist", import.meta.url));
const stops: (() => void)[] = [];
test.afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** The designer with the ads example; its pool `models` is too small, or a load has broken its flow. */
async function open(
  page: Page,
  what: "bottleneck" | "load",
  size: [width: number, height: number],
  name = "ads",
) {
  const [width, height] = size;
  await page.setViewportSize({ width, height });
  const world = {
    ...adsWorld(what === "bottleneck"),
    ...(what === "load" ? { load: LOAD_STATES.broke } : {}),
  };
  const topology = world.topology.replace('"name": "ads"', `"name": "${name}"`);
  const { url, stop } = await serveFake(page, dist, { ...world, topology });
  stops.push(stop);
  await page.goto(url);
  await page.locator(".react-flow__node").first().waitFor();
}

/** What of the elements lies outside of the window. */
const outside = (all: Locator): Promise<string[]> =>
  all.evaluateAll((elements) =>
    elements
      .filter((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
      })
      .map((element) => element.textContent || element.getAttribute("aria-label") || ""),
  );

test("should show the figures of a load's two charts each within its own", async ({ page }) => {
  await open(page, "load", [1440, 900]);
  await page.getByRole("tab", { name: /^Load/ }).click();
  await expect(page.locator(".load-charts .chart-figures b").first()).toHaveText(/^done/);
  const cut = () =>
    page
      .locator(".load-charts .chart")
      .evaluateAll((charts) =>
        charts.flatMap((chart) =>
          [...chart.querySelectorAll(".chart-title *")]
            .filter((part) => part.getBoundingClientRect().right > chart.getBoundingClientRect().right + 0.5)
            .map((part) => part.textContent),
        ),
      );
  await expect.poll(cut).toEqual([]);
});

test("should have one primary button, the remedy of a bottleneck before that of the bar", async ({
  page,
}) => {
  await open(page, "bottleneck", [1440, 900]);
  await expect(page.locator(".btn-primary")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Use \d+ threads$/ })).toBeVisible();
  await page.keyboard.press("s");
  await expect(
    page
      .getByRole("status")
      .filter({ hasText: /^modified|unsaved|saved/ })
      .first(),
  ).toBeVisible();
  await expect(page.locator(".btn-primary")).toHaveText([/^Use \d+ threads$/]);
});

test("should show the whole name of the project at 1024 pixels", async ({ page }) => {
  await open(page, "bottleneck", [1024, 768], "ad_recommender");
  const name = page.locator(".project-name");
  await expect(name).toHaveText("ad_recommender");
  await expect.poll(() => name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await expect.poll(() => outside(page.locator(".top-bar button"))).toEqual([]);
});

// At 200 % a window of 1280 × 800 has 640 × 400 pixels, one of 1920 × 1080 has 960 × 540.
for (const size of [
  [640, 400],
  [960, 540],
  [1024, 768],
] as const)
  test(`should leave everything in reach at ${size.join(" × ")}`, async ({ page }) => {
    await open(page, "bottleneck", [...size]);
    await expect.poll(() => outside(page.locator(".top-bar button, .rail button"))).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    await page.getByRole("treeitem", { name: /^ProduceAd/ }).click();
    const properties = page.getByRole("button", { name: "Properties", exact: true });
    if (size[0] < 900) await properties.click();
    await expect(page.getByLabel("Deadline")).toBeVisible();
    // The card scrolls where the drawing is lower than it.
    const use = page.getByRole("button", { name: /^Use \d+ threads$/ });
    await use.scrollIntoViewIfNeeded();
    await expect(use).toBeInViewport();
    for (const tab of ["Problems", "Build", "Logs", "Metrics", "Bench", "Trace", "Load"]) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await expect(page.getByRole("tab", { name: tab, exact: true })).toBeInViewport();
    }
  });

test("should leave the dock as high as it is, in pixels, when the window is another one", async ({
  page,
}) => {
  await open(page, "load", [780, 493]);
  const dock = page.locator(".dock");
  const before = (await standsStill(dock)).height;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await page.locator(".react-flow__node").first().waitFor();
  const after = async () => (await standsStill(dock)).height;
  await expect.poll(after).toBeLessThan(230);
  await expect.poll(after).toBeGreaterThanOrEqual(before - 1);
});

test("should name a node under the pointer where names have no room", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { url, stop } = await serveFake(page, dist, gridWorld(200));
  stops.push(stop);
  await page.goto(url);
  const node = page.locator('.react-flow__node[data-id="service:Service59"]');
  await node.hover();
  await expect(page.getByRole("tooltip")).toContainText("Service59");
  await expect(page.getByRole("tooltip")).toContainText("Ping → Pong");
});
