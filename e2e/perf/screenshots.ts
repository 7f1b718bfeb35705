import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "@playwright/test";
import { CHROMIUM } from "../support/chromium.js";
import { adsWorld } from "./adsWorld.js";
import { BENCH_STATES } from "./benchStates.js";
import { LOAD_STATES } from "./loadStates.js";
import { serveFake, type World } from "./fakeBackend.js";

/**
 * Pictures of the designer with the ads example, to be put beside the drawings of the look:
 * `npx tsx e2e/perf/screenshots.ts OUT [NAME]` after `npm run setup`. A name chooses
 * one of them. Errors of the page's console are printed: there should be none.
 */
const dist = fileURLToPath(new URL("../../designer/dist", import.meta.url));
const [out = "test-results/look", only = ""] = process.argv.slice(2);

type Act = (page: Page) => Promise<unknown>;
interface Shot {
  /** What it shows, in which theme, and how wide it is. */
  name: `${string}-${"dark" | "light"}-${keyof typeof HEIGHTS}`;
  act: Act;
  /** A pool that is too small: the bottleneck shows after some seconds. */
  troubled?: boolean;
  /** Of the pool that is too small: it gets a thread a second. */
  bounds?: { from: number; to: number };
  world?: Partial<World>;
}
const HEIGHTS = { 1280: 800, 1440: 900, 1920: 1080 };

const tab =
  (name: string): Act =>
  (page) =>
    page.getByRole("tab", { name: new RegExp(`^${name}( …)?$`) }).click();
const row =
  (name: string): Act =>
  (page) =>
    page.getByRole("treeitem", { name: new RegExp(`^${name}`) }).click();
/** A row of the tree, and then the tab with its figures. */
const figuresOf =
  (name: string): Act =>
  async (page) => {
    await row(name)(page);
    await tab("Metrics")(page);
  };
/** The slot before LogAd with the join it is about to get. */
const joinForm = (choice: string) => async (page: Page) => {
  await page.getByRole("button", { name: /before log\b/ }).click();
  await page.getByRole("dialog", { name: "Join before LogAd" }).getByText(choice).click();
};
/** A node from the palette behind LogAd, whose form is shown. */
const node =
  (name: string): Act =>
  async (page) => {
    await row("LogAd")(page);
    await page.getByRole("region", { name: "Palette" }).getByRole("button", { name, exact: true }).click();
  };
/** The search for a size of models, as far as it gets in some seconds. */
const tuning = async (page: Page) => {
  await page.locator(".bottleneck-card").waitFor();
  await page.getByRole("button", { name: "Tune…" }).click();
  await page.getByLabel("Seconds for each size").fill("1");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page
    .getByRole("button", { name: "Search again" })
    .and(page.locator(":enabled"))
    .waitFor({ timeout: 60_000 });
};
/** A pool whose threads come and go, and what came of it on the charts some seconds later. */
const bounds = async (page: Page) => {
  await figuresOf("ProduceAd")(page);
  await page.waitForTimeout(13_000);
  await row("models")(page);
};
/** Two presets of the binary, and what the other one would change. */
const presets = async (page: Page) => {
  await row("ads-server")(page);
  const name = page.getByLabel("Name of the preset");
  for (const preset of ["day", "night"]) {
    await name.fill(preset);
    await name.press("Enter");
  }
};
/** A rule between the two. */
const ruled = async (page: Page) => {
  await presets(page);
  await page.getByRole("button", { name: "Change between presets by itself" }).click();
  await page.getByLabel(/^Seconds that a rate/).scrollIntoViewIfNeeded();
};
/** The charts over a range, with the crosshair on them. */
const range =
  (minutes: number): Act =>
  async (page) => {
    await figuresOf("ProduceAd")(page);
    await page.getByRole("button", { name: `${minutes} min`, exact: true }).click();
    await page
      .locator(".u-over")
      .first()
      .hover({ position: { x: 150, y: 30 } });
  };
/** A part of the quarter of an hour, dragged over one of the charts. */
const zoomed = async (page: Page) => {
  await range(15)(page);
  const box = (await page.locator(".u-over").last().boundingBox())!;
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + 24, { steps: 5 });
  await page.mouse.up();
};
/** The flow and a service renamed while they run, and a service that does not run yet. */
const renamed = async (page: Page) => {
  for (const [from, to] of [
    ["ProduceAd", "ScoreAd"],
    ["Impressions", "Views"],
  ] as const) {
    await row(from)(page);
    await page.keyboard.press("F2");
    await page.keyboard.type(to);
    await page.keyboard.press("Enter");
  }
  await page.getByRole("region", { name: "Palette" }).getByRole("button", { name: "Simple service" }).click();
  await tab("Metrics")(page);
};
/** What the remedy of the bottleneck did, some seconds later. */
const remedied = async (page: Page) => {
  await figuresOf("ProduceAd")(page);
  await page.getByRole("button", { name: /^Use \d+ threads$/ }).click();
  await page.locator(".bottleneck-card").getByText("p50").waitFor({ timeout: 60_000 });
};
/** A time above which a handler is reported that it cannot have. */
const slowLimit = async (page: Page) => {
  await row("ads-server")(page);
  await page.getByLabel("Report a handler after").fill("99999999");
  await page.getByLabel("Report a handler after").blur();
};
const compared = async (page: Page) => {
  await presets(page);
  await page.getByRole("button", { name: "Compare day" }).click();
};
const applied = async (page: Page) => {
  await joinForm("Threads of its own")(page);
  await page.getByRole("button", { name: "Apply live" }).click();
};

const past = { world: { pastMinutes: 16 } };
const bench = (name: Shot["name"], state: keyof typeof BENCH_STATES): Shot => ({
  ...{ name, act: tab("Bench"), world: { bench: BENCH_STATES[state] } },
});
const load = (name: Shot["name"], state: keyof typeof LOAD_STATES): Shot => ({
  ...{ name, act: tab("Load"), world: { load: LOAD_STATES[state] } },
});
const SHOTS: Shot[] = [
  { name: "remedy-dark-1280", troubled: true, act: remedied },
  { name: "remedy-light-1920", troubled: true, act: remedied },
  { name: "renamed-dark-1280", act: renamed },
  { name: "renamed-light-1920", act: renamed },
  { name: "metrics-1-light-1280", ...past, act: range(1) },
  { name: "metrics-5-dark-1280", ...past, act: range(5) },
  { name: "metrics-15-light-1920", ...past, act: range(15) },
  { name: "metrics-zoom-dark-1280", ...past, act: zoomed },
  { name: "trace-dark-1280", act: tab("Trace") },
  { name: "trace-light-1920", act: tab("Trace") },
  { name: "process-light-1280", ...past, act: figuresOf("ads-server") },
  { name: "stage-dark-1280", act: figuresOf("LogAd") },
  { name: "stage-light-1920", act: figuresOf("LogAd") },
  { name: "binary-light-1280", act: slowLimit },
  { name: "presets-light-1280", act: presets },
  { name: "presets-dark-1920", act: compared },
  { name: "rules-light-1280", act: ruled },
  { name: "rules-dark-1920", act: ruled },
  { name: "bounds-dark-1280", troubled: true, bounds: { from: 2, to: 32 }, act: bounds },
  { name: "bounds-light-1920", troubled: true, bounds: { from: 2, to: 8 }, act: bounds },
  { name: "tune-dark-1280", troubled: true, act: tuning },
  { name: "tune-light-1920", troubled: true, act: tuning },
  { name: "join-dark-1280", act: joinForm("Threads of its own") },
  { name: "join-light-1280", act: applied },
  { name: "join-light-1920", act: joinForm("A pool of the binary") },
  { name: "join-dark-1920", act: row("LogAd") },
  bench("bench-measured-dark-1280", "measured"),
  bench("bench-measured-light-1920", "measured"),
  bench("bench-close-light-1280", "close"),
  bench("bench-measuring-dark-1920", "measuring"),
  bench("bench-broken-light-1280", "broken"),
  bench("bench-empty-dark-1280", "empty"),
  { name: "node-http-source-light-1280", act: node("HTTP source") },
  { name: "node-file-source-dark-1920", act: node("File source") },
  { name: "node-filter-light-1280", act: node("Filter") },
  { name: "node-sql-query-dark-1280", act: node("SQL query") },
  { name: "node-sql-query-light-1920", act: node("SQL query") },
  { name: "node-http-request-dark-1920", act: node("HTTP request") },
  load("load-empty-light-1280", "empty"),
  load("load-loading-dark-1280", "loading"),
  load("load-broke-light-1920", "broke"),
  load("load-broke-dark-1280", "broke"),
  load("load-failed-dark-1440", "failed"),
  { name: "flow-dark-1440", troubled: true, act: tab("Metrics") },
  { name: "flow-light-1440", troubled: true, act: tab("Metrics") },
  { name: "flow-quiet-dark-1280", act: tab("Metrics") },
  { name: "flow-light-1920", troubled: true, act: tab("Metrics") },
  { name: "threads-dark-1440", troubled: true, act: tab("Threads") },
  { name: "messages-light-1440", act: tab("Messages") },
  { name: "code-light-1440", act: tab("Code") },
  { name: "start-dark-1280", act: (page) => page.locator(".brand").click() },
];

await mkdir(out, { recursive: true });
const browser = await chromium.launch(CHROMIUM);
for (const { name, act, troubled = false, bounds: of, world } of SHOTS.filter((shot) =>
  shot.name.startsWith(only),
)) {
  const [theme, wide] = name.split("-").slice(-2) as ["dark" | "light", `${keyof typeof HEIGHTS}`];
  const viewport = { width: Number(wide), height: HEIGHTS[wide] };
  const context = await browser.newContext({ viewport, colorScheme: theme });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") console.log(`${name}: ${message.text()}`);
  });
  page.on("pageerror", (error) => console.log(`${name}: ${error.stack ?? error.message}`));
  const fake = await serveFake(page, dist, { ...adsWorld(troubled, of), ...world });
  await page.goto(fake.url);
  await page.locator(".react-flow__node").first().waitFor();
  await act(page);
  if (troubled && name.startsWith("flow")) await page.locator(".bottleneck-card").waitFor();
  else await page.waitForTimeout(2500);
  await page.screenshot({ path: join(out, `${name}.png`) });
  fake.stop();
  await context.close();
}
await browser.close();
