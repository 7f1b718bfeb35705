import { fileURLToPath } from "node:url";
import { expect, test, type Page } from "@playwright/test";
import { adsWorld } from "../perf/adsWorld.js";
import { serveFake } from "../perf/fakeBackend.js";

const dist = fileURLToPath(new URL("../../designer/dist", import.meta.url));
const stops: (() => void)[] = [];
test.afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** The charts of something that has run for 16 minutes. */
async function chartsOf(page: Page, name: string) {
  // The server is imitated: nobody waits a quarter of an hour.
  const { url, stop } = await serveFake(page, dist, { ...adsWorld(true), pastMinutes: 16 });
  stops.push(stop);
  await page.goto(url);
  await page.getByRole("treeitem", { name: new RegExp(`^${name}\\b`) }).click();
  await page.getByRole("tab", { name: "Metrics", exact: true }).click();
  const charts = page.locator(".metrics .chart");
  await expect(charts).toHaveCount(2);
  // The past comes with the first figures.
  await expect(charts.locator(".chart-figures b").first()).toHaveText(/\d/);
  return charts;
}

const SECONDS: Record<string, number> = { s: 1, m: 60 };
/** "1 m 30 s ago" in seconds. */
const ago = (words: string): number =>
  [...words.matchAll(/([\d.]+)\s*([ms])\b/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * SECONDS[unit!]!,
    0,
  );

test("should show the last 1, 5 and 15 minutes, with one crosshair over all charts and one zoom", async ({
  page,
}) => {
  const charts = await chartsOf(page, "ProduceAd");
  const plot = charts.first().locator(".u-over");
  const pointAt = async (share: number) => {
    const { width } = (await plot.boundingBox())!;
    await plot.hover({ position: { x: share * width, y: 20 } });
  };
  for (const minutes of [5, 15, 1]) {
    const button = page.getByRole("button", { name: `${minutes} min`, exact: true });
    // In one go, as charts that took the range one after the other would show two times, or one crosshair.
    const { took, shown } = await button.evaluate(async (one) => {
      const begun = performance.now();
      (one as HTMLElement).click();
      // A chart takes its scale at the end of the task.
      await Promise.resolve();
      const over = document.querySelector(".metrics .u-over")!;
      const { left, top, width } = over.getBoundingClientRect();
      over.dispatchEvent(new MouseEvent("mousemove", { clientX: left + 0.2 * width, clientY: top + 20 }));
      const shown = [...document.querySelectorAll(".metrics .chart")].map((chart) => ({
        time: chart.querySelector(".chart-time")!.textContent,
        crosshair:
          (chart.querySelector(".u-cursor-x")!.getBoundingClientRect().left -
            chart.querySelector(".u-over")!.getBoundingClientRect().left) /
          width,
        figure: chart.querySelector(".chart-figures b")!.textContent,
      }));
      return { took: (performance.now() - begun) / 1000, shown };
    });
    expect(shown).toHaveLength(2);
    for (const { time, crosshair, figure } of shown) {
      // The moment next to it that has figures; that of another range is twice as far off.
      expect(Math.abs(ago(time) - 0.8 * minutes * 60), time).toBeLessThan(0.25 * minutes * 60 + took);
      expect(crosshair).toBeCloseTo(0.2, 1);
      expect(figure).toMatch(/\d/);
    }
  }

  // A part dragged over one chart is what both show.
  await page.getByRole("button", { name: "15 min", exact: true }).click();
  const { x, y, width } = (await plot.boundingBox())!;
  await page.mouse.move(x + 0.2 * width, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + 0.4 * width, y + 24, { steps: 5 });
  await page.mouse.up();
  const reset = page.getByRole("button", { name: "reset zoom" });
  await expect(reset).toBeVisible();
  await pointAt(0.95);
  // Without a zoom that would be three quarters of a minute ago.
  await expect
    .poll(async () => ago((await charts.nth(1).locator(".chart-time").textContent())!))
    .toBeGreaterThan(5 * 60);
  await plot.dblclick();
  await expect(reset).toHaveCount(0);
});

test("should show memory and threads of the process over time", async ({ page }) => {
  const charts = await chartsOf(page, "ads-server");
  await expect(charts.locator(".chart-name")).toHaveText(["Memory (RSS)", "Threads"]);
  await page.getByRole("button", { name: "5 min", exact: true }).click();
  await expect(charts.locator(".chart-figures b")).toHaveText([/^(18|19)(\.\d+)? MB$/, "8"]);
  // The same of four minutes ago.
  const plot = charts.first().locator(".u-over");
  await plot.hover({ position: { x: 0.2 * (await plot.boundingBox())!.width, y: 20 } });
  await expect(charts.locator(".chart-time").first()).toHaveText(/^[34] m.* ago$/);
  await expect(charts.locator(".chart-figures b")).toHaveText([/^(18|19)(\.\d+)? MB$/, "8"]);
});
