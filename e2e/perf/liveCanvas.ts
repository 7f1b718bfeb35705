import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { CHROMIUM } from "../support/chromium.js";
import { serveFake } from "./fakeBackend.js";
import { frameP95, GESTURES } from "./gestures.js";
import { gridWorld } from "./gridWorld.js";

/**
 * Measures what live figures cost the page: `npx tsx e2e/perf/liveCanvas.ts [NODES...]` after
 * `npm run setup`. For each number of nodes, with every figure changing ten times a
 * second: share of the main thread while nothing is touched, and frame times while panning.
 */
const dist = fileURLToPath(new URL("../../designer/dist", import.meta.url));
const SECONDS = 6;
const counts = process.argv.slice(2).map(Number);
const browser = await chromium.launch(CHROMIUM);
for (const count of counts.length > 0 ? counts : [1000]) {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const page = await context.newPage();
  const world = gridWorld(count);
  const fake = await serveFake(page, dist, world);
  const opened = Date.now();
  await page.goto(fake.url);
  await page.locator(".react-flow__node").first().waitFor();
  const openMs = Date.now() - opened;
  await page.waitForTimeout(4000);

  const session = await context.newCDPSession(page);
  // CPU time of the thread, not wall time: another program's load must not count as ours.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { task: of("TaskDuration"), script: of("ScriptDuration"), at: performance.now() / 1000 };
  };
  const measure = async (what: () => Promise<unknown>) => {
    const before = await busy();
    await what();
    const after = await busy();
    const share = (key: "task" | "script") => (100 * (after[key] - before[key])) / (after.at - before.at);
    return { main: share("task"), script: share("script") };
  };
  const idle = await measure(() => page.waitForTimeout(SECONDS * 1000));

  const p95 = await frameP95(page, GESTURES["pan"]!);
  const zoom = await page.locator(".react-flow__viewport").getAttribute("style");
  console.log(
    JSON.stringify({
      nodes: count,
      openMs,
      inPage: await page.locator(".react-flow__node").count(),
      mainPercent: Number(idle.main.toFixed(1)),
      scriptPercent: Number(idle.script.toFixed(1)),
      panP95Ms: Number(p95.toFixed(1)),
      zoom: zoom?.match(/scale\(([\d.]+)\)/)?.[1],
    }),
  );
  if (process.env["PENSTOCK_SHOT"]) await page.screenshot({ path: process.env["PENSTOCK_SHOT"] });
  fake.stop();
  await context.close();
}
await browser.close();
