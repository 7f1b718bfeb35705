import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "@playwright/test";
import { adsWorld } from "./adsWorld.js";
import { BENCH_STATES } from "./benchStates.js";
import { LOAD_STATES } from "./loadStates.js";
import { serveFake } from "./fakeBackend.js";

/**
 * Pictures of the designer with the ads example, to be put beside the drawings of the look:
 * `npx tsx e2e/perf/screenshots.ts OUT [NAME]` after `npm run setup`. A name chooses
 * one of them. Errors of the page's console are printed: there should be none.
 */
const dist = fileURLToPath(new URL("../../designer/dist", import.meta.url));
const [out = "test-results/look", only = ""] = process.argv.slice(2);
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];

interface Shot {
  name: string;
  theme: "dark" | "light";
  size: [width: number, height: number];
  /** A pool that is too small: the bottleneck shows after some seconds. */
  troubled: boolean;
  bench?: keyof typeof BENCH_STATES;
  load?: keyof typeof LOAD_STATES;
  pastMinutes?: number;
  act: (page: Page) => Promise<unknown>;
}
const tab = (name: string) => (page: Page) =>
  page.getByRole("tab", { name: new RegExp(`^${name}( …)?$`) }).click();
const bench = (state: keyof typeof BENCH_STATES, theme: Shot["theme"], size: Shot["size"]): Shot => ({
  name: `bench-${state}-${theme}-${size[0]}`,
  theme,
  size,
  troubled: false,
  bench: state,
  act: tab("Bench"),
});
const load = (state: keyof typeof LOAD_STATES, theme: Shot["theme"], size: Shot["size"]): Shot => ({
  name: `load-${state}-${theme}-${size[0]}`,
  theme,
  size,
  troubled: false,
  load: state,
  act: tab("Load"),
});
/** The slot before LogAd with the join it is about to get. */
const joinForm = (choice: string) => async (page: Page) => {
  await page.getByRole("button", { name: /before log\b/ }).click();
  await page.getByRole("dialog", { name: "Join before LogAd" }).getByText(choice).click();
};
/** A node from the palette behind LogAd, whose form is shown. */
const node = (name: string, theme: Shot["theme"], size: Shot["size"]): Shot => ({
  name: `node-${name.toLowerCase().replace(" ", "-")}-${theme}-${size[0]}`,
  theme,
  size,
  troubled: false,
  act: async (page) => {
    await page.getByRole("treeitem", { name: /^LogAd/ }).click();
    await page.getByRole("region", { name: "Palette" }).getByRole("button", { name, exact: true }).click();
  },
});
/** The figures of a stage, and what can be set of it. */
const stage = async (page: Page) => {
  await page.getByRole("treeitem", { name: /^LogAd/ }).click();
  await tab("Metrics")(page);
};
/** Memory and threads of the process. */
const ofProcess = async (page: Page) => {
  await page.getByRole("treeitem", { name: /^ads-server/ }).click();
  await tab("Metrics")(page);
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
/** Two presets of the binary, and what the other one would change. */
const presets = async (page: Page) => {
  await page.getByRole("treeitem", { name: /^ads-server/ }).click();
  const name = page.getByLabel("Name of the preset");
  for (const preset of ["day", "night"]) {
    await name.fill(preset);
    await name.press("Enter");
  }
};
/** The charts over a range, with the crosshair on them. */
const range = (minutes: number, theme: Shot["theme"], size: Shot["size"]): Shot => ({
  name: `metrics-${minutes}-${theme}-${size[0]}`,
  theme,
  size,
  troubled: false,
  pastMinutes: 16,
  act: async (page) => {
    await page.getByRole("treeitem", { name: /^ProduceAd/ }).click();
    await tab("Metrics")(page);
    await page.getByRole("button", { name: `${minutes} min`, exact: true }).click();
    await page
      .locator(".u-over")
      .first()
      .hover({ position: { x: 150, y: 30 } });
  },
});
/** A part of the quarter of an hour, dragged over one of the charts. */
const zoomed = async (page: Page) => {
  await range(15, "light", [1280, 800]).act(page);
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
    await page.getByRole("treeitem", { name: new RegExp(`^${from}`) }).click();
    await page.keyboard.press("F2");
    await page.keyboard.type(to);
    await page.keyboard.press("Enter");
  }
  await page.getByRole("region", { name: "Palette" }).getByRole("button", { name: "Simple service" }).click();
  await tab("Metrics")(page);
};
/** What the remedy of the bottleneck did, some seconds later. */
const remedied = async (page: Page) => {
  await page.getByRole("treeitem", { name: /^ProduceAd/ }).click();
  await tab("Metrics")(page);
  await page.getByRole("button", { name: /^Use \d+ threads$/ }).click();
  await page.locator(".bottleneck-card").getByText("p50").waitFor({ timeout: 60_000 });
};
const SHOTS: Shot[] = [
  { name: "remedy-dark-1280", theme: "dark", size: [1280, 800], troubled: true, act: remedied },
  { name: "remedy-light-1920", theme: "light", size: [1920, 1080], troubled: true, act: remedied },
  { name: "renamed-dark-1280", theme: "dark", size: [1280, 800], troubled: false, act: renamed },
  { name: "renamed-light-1920", theme: "light", size: [1920, 1080], troubled: false, act: renamed },
  range(1, "light", [1280, 800]),
  range(5, "dark", [1280, 800]),
  range(15, "light", [1920, 1080]),
  {
    name: "metrics-zoom-dark-1280",
    theme: "dark",
    size: [1280, 800],
    troubled: false,
    pastMinutes: 16,
    act: zoomed,
  },
  { name: "trace-dark-1280", theme: "dark", size: [1280, 800], troubled: false, act: tab("Trace") },
  { name: "trace-light-1920", theme: "light", size: [1920, 1080], troubled: false, act: tab("Trace") },
  {
    name: "process-light-1280",
    theme: "light",
    size: [1280, 800],
    troubled: false,
    pastMinutes: 16,
    act: ofProcess,
  },
  { name: "stage-dark-1280", theme: "dark", size: [1280, 800], troubled: false, act: stage },
  { name: "stage-light-1920", theme: "light", size: [1920, 1080], troubled: false, act: stage },
  {
    name: "binary-light-1280",
    theme: "light",
    size: [1280, 800],
    troubled: false,
    act: async (page) => {
      await page.getByRole("treeitem", { name: /^ads-server/ }).click();
      await page.getByLabel("Report a handler after").fill("99999999");
      await page.getByLabel("Report a handler after").blur();
    },
  },
  { name: "presets-light-1280", theme: "light", size: [1280, 800], troubled: false, act: presets },
  {
    name: "presets-dark-1920",
    theme: "dark",
    size: [1920, 1080],
    troubled: false,
    act: async (page) => {
      await presets(page);
      await page.getByRole("button", { name: "Compare day" }).click();
    },
  },
  { name: "tune-dark-1280", theme: "dark", size: [1280, 800], troubled: true, act: tuning },
  { name: "tune-light-1920", theme: "light", size: [1920, 1080], troubled: true, act: tuning },
  {
    name: "join-dark-1280",
    theme: "dark",
    size: [1280, 800],
    troubled: false,
    act: joinForm("Threads of its own"),
  },
  {
    name: "join-light-1280",
    theme: "light",
    size: [1280, 800],
    troubled: false,
    act: async (page) => {
      await joinForm("Threads of its own")(page);
      await page.getByRole("button", { name: "Apply live" }).click();
    },
  },
  {
    name: "join-light-1920",
    theme: "light",
    size: [1920, 1080],
    troubled: false,
    act: joinForm("A pool of the binary"),
  },
  {
    name: "join-dark-1920",
    theme: "dark",
    size: [1920, 1080],
    troubled: false,
    act: (page) => page.getByRole("treeitem", { name: /^LogAd/ }).click(),
  },
  bench("measured", "dark", [1280, 800]),
  bench("measured", "light", [1920, 1080]),
  bench("close", "light", [1280, 800]),
  bench("measuring", "dark", [1920, 1080]),
  bench("broken", "light", [1280, 800]),
  bench("empty", "dark", [1280, 800]),
  node("HTTP source", "light", [1280, 800]),
  node("File source", "dark", [1920, 1080]),
  node("Filter", "light", [1280, 800]),
  node("SQL query", "dark", [1280, 800]),
  node("SQL query", "light", [1920, 1080]),
  node("HTTP request", "dark", [1920, 1080]),
  load("empty", "light", [1280, 800]),
  load("loading", "dark", [1280, 800]),
  load("broke", "light", [1920, 1080]),
  load("failed", "dark", [1440, 900]),
  { name: "flow-dark", theme: "dark", size: [1440, 900], troubled: true, act: tab("Metrics") },
  { name: "flow-light", theme: "light", size: [1440, 900], troubled: true, act: tab("Metrics") },
  { name: "flow-dark-1280", theme: "dark", size: [1280, 800], troubled: false, act: tab("Metrics") },
  { name: "flow-light-1920", theme: "light", size: [1920, 1080], troubled: true, act: tab("Metrics") },
  { name: "threads-dark", theme: "dark", size: [1440, 900], troubled: true, act: tab("Threads") },
  { name: "messages-light", theme: "light", size: [1440, 900], troubled: false, act: tab("Messages") },
  { name: "code-light", theme: "light", size: [1440, 900], troubled: false, act: tab("Code") },
  {
    name: "start-dark",
    theme: "dark",
    size: [1280, 800],
    troubled: false,
    act: (page) => page.locator(".brand").click(),
  },
];

await mkdir(out, { recursive: true });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
for (const { name, theme, size, troubled, bench, load: loaded, pastMinutes, act } of SHOTS.filter((shot) =>
  shot.name.startsWith(only),
)) {
  const [width, height] = size;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") console.log(`${name}: ${message.text()}`);
  });
  page.on("pageerror", (error) => console.log(`${name}: ${error.stack ?? error.message}`));
  const fake = await serveFake(page, dist, {
    ...adsWorld(troubled),
    ...(pastMinutes ? { pastMinutes } : {}),
    ...(bench ? { bench: BENCH_STATES[bench] } : {}),
    ...(loaded ? { load: LOAD_STATES[loaded] } : {}),
  });
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
