import { fileURLToPath } from "node:url";
import { expect, test, type Page } from "@playwright/test";
import { adsWorld } from "../perf/adsWorld.js";
import { serveFake } from "../perf/fakeBackend.js";
import { lasso } from "../support/hands.js";
import { standsStill } from "../support/standsStill.js";

const dist = fileURLToPath(new URL("../../designer/dist", import.meta.url));
type Trace = NonNullable<ReturnType<ReturnType<typeof adsWorld>["sample"]>["traces"]>[number];
const stops: (() => void)[] = [];
test.afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function open(page: Page, troubled: boolean) {
  const { url, stop } = await serveFake(page, dist, adsWorld(troubled));
  stops.push(stop);
  await page.goto(url);
  await page.locator(".react-flow__node").first().waitFor();
}
const inspectorOf = (page: Page) => page.getByRole("complementary", { name: "Properties" });

test("should select no text of the page with a lasso and Shift", async ({ page }) => {
  await open(page, false);
  await page.getByRole("treeitem", { name: /^ads-server/ }).click();
  // Where the page's selection of text begins, so that Shift would stretch it to the pointer.
  const hint = inspectorOf(page).locator(".hint").first();
  await hint.click();
  await page.keyboard.down("Shift");
  const source = await standsStill(page.locator(".react-flow__node-source"));
  const [above, below] = [
    { x: source.x - 12, y: source.y - 12 },
    { x: source.x + source.width + 8, y: source.y + source.height + 8 },
  ];
  await lasso(page, above, below);
  await page.keyboard.up("Shift");
  await expect(page.locator(".react-flow__node-source.selected")).toHaveCount(1);
  expect(await page.evaluate(() => getSelection()?.toString())).toBe("");
});

/** The panel of traces, each of them told otherwise than it is, where there is little room. */
async function openTraces(page: Page, told: (trace: Trace) => unknown) {
  await page.setViewportSize({ width: 1024, height: 768 });
  const world = adsWorld(true);
  const { url, stop } = await serveFake(page, dist, {
    ...world,
    sample: (t, seq) => {
      const made = world.sample(t, seq);
      return { ...made, traces: (made.traces ?? []).map(told) as Trace[] };
    },
  });
  stops.push(stop);
  await page.goto(url);
  await page.getByRole("tab", { name: "Trace", exact: true }).click();
}

test("should show one line for each event and each call of a trace, however it ended", async ({ page }) => {
  await openTraces(page, (trace) => trace.with(3, "dropped"));
  const event = page.locator(".trace-events button").nth(1);
  await expect(event).toContainText("dropped");
  const heights = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
  await expect.poll(async () => new Set(await heights(".trace-events button")).size).toBe(1);
  await expect.poll(async () => (await heights(".waterfall-row")).length).toBeGreaterThan(3);
  // Two lines of text would be 34 high.
  expect(Math.max(...(await heights(".waterfall-row")))).toBeLessThan(30);
});

test("should name a binary and say failed in full in a trace, however narrow it is", async ({ page }) => {
  const failedStep = (step: readonly unknown[]) => [...step.slice(0, -1), 1];
  await openTraces(page, (trace) =>
    trace.map((part) => (Array.isArray(part) ? part.map((step: unknown[]) => failedStep(step)) : part)),
  );
  const failed = page.locator(".waterfall-row em");
  await expect.poll(() => failed.count()).toBeGreaterThan(3);
  const reaches = (selector: string) =>
    page.locator(selector).evaluateAll((all) =>
      all.map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const cell = one.closest('[role="cell"]')!.getBoundingClientRect();
        return Math.round(range.getBoundingClientRect().right - cell.right);
      }),
    );
  for (const selector of [".waterfall-row em", ".waterfall-row > :nth-child(2)"])
    await expect.poll(async () => Math.max(...(await reaches(selector)))).toBeLessThanOrEqual(0);
});

/** Icons that can hardly be told from what they stand on: below 3:1, WCAG's limit for what is not text. */
const faintIcons = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
    const rgba = (color: string): [number, number, number, number] => {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = color;
      brush.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0, a = 0] = brush.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a]: number[], [br, bg, bb]: number[]): number[] => [
      r! * a! + br! * (1 - a!),
      g! * a! + bg! * (1 - a!),
      b! * a! + bb! * (1 - a!),
    ];
    const ground = (element: Element | null): number[] =>
      element === null
        ? [255, 255, 255]
        : ((color) => (color[3] === 1 ? color : over(color, ground(element.parentElement))))(
            rgba(getComputedStyle(element).backgroundColor),
          );
    const light = (color: number[]): number =>
      color
        .slice(0, 3)
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index]!, 0);
    return [...document.querySelectorAll("svg.lucide")]
      .filter((icon) => icon.checkVisibility({ opacityProperty: true }) && !icon.closest(":disabled"))
      .flatMap((icon) => {
        const behind = ground(icon.parentElement);
        const drawn = over(rgba(getComputedStyle(icon).stroke), behind);
        const [bright, dark] = [light(drawn), light(behind)].sort((a, b) => b - a) as [number, number];
        const contrast = (bright + 0.05) / (dark + 0.05);
        const place = icon.closest("[aria-label], .btn, button, .node")?.className;
        return contrast < 3 ? [`${icon.getAttribute("class")} in ${place}: ${contrast.toFixed(2)}`] : [];
      });
  });

test("should let every icon be told from what it stands on, in both themes", async ({ page }) => {
  await open(page, true);
  await page.getByRole("treeitem", { name: /^GetAd/ }).click();
  await page.getByRole("button", { name: /^Use \d+ threads$/ }).waitFor();
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect.soft(await faintIcons(page), colorScheme).toEqual([]);
  }
});

test("should say on the start screen what this is, with pictures of the examples", async ({ page }) => {
  await open(page, false);
  await page.goto(new URL("/", page.url()).href);
  const examples = page.getByRole("region", { name: "Begin with" }).getByRole("button");
  await expect(examples).toHaveText([/^Ads/, /^Hello/, /^Empty/]);
  await expect(page.getByText(/^Draw services and flows, get a C\+\+ backend/)).toBeVisible();
  const drawn = (name: RegExp) => examples.filter({ hasText: name }).locator("svg rect");
  for (const name of [/^Ads/, /^Hello/]) await expect.poll(() => drawn(name).count()).toBeGreaterThan(1);
  await expect(page.locator(".btn-primary")).toHaveText(["New project"]);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect.soft(await faintIcons(page), colorScheme).toEqual([]);
  }
});

test("should mark what is live and say once that all else needs a rebuild", async ({ page }) => {
  await open(page, false);
  await page.getByRole("treeitem", { name: /^ads-server/ }).click();
  await expect(inspectorOf(page).getByText("live", { exact: true }).first()).toBeVisible();
  await expect(inspectorOf(page).getByText(/needs (a )?rebuild/)).toHaveCount(1);
});

test("should draw stages that run fused under a hairline with their thread's name, and no colour behind", async ({
  page,
}) => {
  await open(page, false);
  const bracket = page.locator(".fused-bracket");
  await expect(bracket).toHaveText(["front"]);
  await expect(bracket).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  // Its line takes the zoom a picture after the drawing does.
  const onTheScreen = () =>
    bracket.evaluate((element) => {
      const { transform } = getComputedStyle(document.querySelector(".react-flow__viewport")!);
      return parseFloat(getComputedStyle(element).borderTopWidth) * new DOMMatrixReadOnly(transform).a;
    });
  await expect.poll(onTheScreen).toBeLessThan(1.6);
});

test("should align what is selected by one row of icons", async ({ page }) => {
  await open(page, false);
  await page.locator("[data-testid=canvas]").focus();
  await page.keyboard.press("Control+a");
  const icons = inspectorOf(page).getByRole("group", { name: "Align" }).getByRole("button");
  await expect(icons).toHaveCount(7);
  const rows = () =>
    icons.evaluateAll((all) => new Set(all.map((icon) => icon.getBoundingClientRect().top)).size);
  await expect.poll(rows).toBe(1);
});

test("should keep a compiler's long names within the panel that shows them", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const type = "std::vector<ads::Ad,penstock::concurrent::RecyclingAllocator<ads::Ad>>";
  const world = adsWorld(false);
  const { url, stop } = await serveFake(page, dist, {
    ...world,
    build: {
      ...{ phase: "failed", done: 3, total: 9, current: "", startedAtMs: Date.now(), milliseconds: 4000 },
      problems: [
        {
          ...{ code: "PS850", severity: "error", pointer: "/services/0", node: "service:GetAd" },
          ...{
            message: `'class ${type}' has no member named 'emty'`,
            help: "Correct the file at the line named.",
          },
          ...{ file: "src/services/get_ad.cpp", line: 16, column: 14 },
        },
      ],
    },
  });
  stops.push(stop);
  await page.goto(url);
  await page.getByRole("treeitem", { name: /^GetAd/ }).click();
  for (const panel of [inspectorOf(page), page.getByRole("region", { name: "Dock" })]) {
    const message = panel.getByText(/has no member named/).first();
    await expect(message).toBeVisible();
    // Its letters may come after it.
    const beyond = async () => {
      const [inner, outer] = [await standsStill(message), await standsStill(panel)];
      const cut = await message.evaluate((words) => words.scrollWidth - words.clientWidth);
      return Math.max(inner.x + inner.width - outer.x - outer.width, cut);
    };
    await expect.poll(beyond).toBeLessThanOrEqual(0);
  }
});

test("should keep why a name is refused within the properties, however long the name is", async ({
  page,
}) => {
  await open(page, false);
  await page.getByRole("treeitem", { name: /^GetAd/ }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("a1_".repeat(100));
  const fault = inspectorOf(page).getByRole("alert");
  await expect(fault).toContainText("has 300 characters");
  expect(await fault.evaluate((words) => words.scrollWidth - words.clientWidth)).toBe(0);
});

test("should let a field be told from one that is off, in both themes", async ({ page }) => {
  await open(page, false);
  await page.getByRole("treeitem", { name: /^ads-server/ }).click();
  const field = page.getByLabel("Replicas");
  const look = (off: boolean) =>
    field.evaluate((input: HTMLInputElement, disabled) => {
      input.disabled = disabled;
      const { backgroundColor, borderTopColor } = getComputedStyle(input.parentElement!);
      return { backgroundColor, borderTopColor };
    }, off);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const [on, off] = [await look(false), await look(true)];
    expect.soft(off.backgroundColor, colorScheme).not.toBe(on.backgroundColor);
    expect.soft(off.borderTopColor, colorScheme).not.toBe(on.borderTopColor);
  }
});
