import { spawn } from "node:child_process";
import { mkdtemp, mkdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "@playwright/test";
import { CHROMIUM } from "../support/chromium.js";
import { Designer } from "../support/designer.js";

/**
 * Takes the pictures of docs/images from the ads example as it really runs: `npx tsx
 * e2e/tools/readmePictures.ts` after `npm run setup`.
 */
const repository = fileURLToPath(new URL("../..", import.meta.url));
const out = path.join(repository, "docs/images");
const MOST_BYTES = 300_000;
const SIZE = { width: 1440, height: 900 };

async function take(page: Page, name: string): Promise<void> {
  const file = path.join(out, `${name}.png`);
  await page.mouse.move(700, 5);
  await page.screenshot({ path: file });
  const { size } = await stat(file);
  if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes; ${MOST_BYTES} are allowed`);
  console.log(`${path.relative(repository, file)}: ${Math.round(size / 1000)} kB`);
}

async function pictures(page: Page): Promise<void> {
  const designer = new Designer(page);
  const metrics = () => page.getByRole("tab", { name: "Metrics", exact: true }).click();
  await designer.createFromExample("ads", "ads");
  await designer.run();
  await metrics();
  await designer.treeRow("ProduceAd").click();
  // The charts show a minute, so a minute has to pass.
  await page.waitForTimeout(35_000);
  await designer.inspector.getByLabel("Threads of pool models").fill("6");
  await designer.inspector.getByRole("button", { name: "Apply" }).first().click();
  await designer.inspector.getByText("6 running").waitFor();
  await page.getByRole("alert").filter({ hasText: "Bottleneck" }).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(4000);
  await page.emulateMedia({ colorScheme: "dark" });
  await take(page, "flow-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForTimeout(500);
  await take(page, "flow-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await designer.treeRow("models").click();
  await designer.view("Threads");
  await page.waitForTimeout(1500);
  await take(page, "threads-dark");

  await page.emulateMedia({ colorScheme: "light" });
  await designer.view("Flow");
  await designer.treeRow("GetAd").click();
  await designer.inspector.getByRole("button", { name: "Edit the handler" }).click();
  const editor = page.locator(".cm-content");
  await editor.getByText("offers").first().waitFor();
  await editor.click();
  // Not innerText, which takes an empty line for two.
  const handler = (await editor.locator(".cm-line").allTextContents()).join("\n");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(handler.replace("offers.empty()", "offers.emty()"));
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: "Build", exact: true }).click();
  await page.getByText("build failed · last good binary runs on").waitFor({ timeout: 120_000 });
  await page.getByRole("tab", { name: /^Problems/ }).click();
  await page.getByRole("button", { name: /emty/ }).first().click();
  await page.waitForTimeout(1000);
  await take(page, "code-light");

  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).and(page.locator(":disabled")).waitFor();
  await benchPicture(page, handler);
}

/** Measured while nothing runs, with the handler that was put right again. */
async function benchPicture(page: Page, handler: string): Promise<void> {
  const designer = new Designer(page);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(handler);
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: "Build", exact: true }).click();
  await designer.statePill.getByText(/^built in/).waitFor({ timeout: 120_000 });
  await designer.view("Flow");
  await page.getByRole("tab", { name: "Bench", exact: true }).click();
  await page.getByRole("button", { name: "Run benchmarks" }).click();
  await page
    .getByRole("region", { name: "Dock" })
    .getByRole("status")
    .getByText("Measured", { exact: true })
    .waitFor({ timeout: 300_000 });
  await page.waitForTimeout(500);
  await take(page, "bench-light");
}

/** The example whose limit is known, loaded until it breaks; on the page of all projects. */
async function loadPicture(page: Page): Promise<void> {
  const designer = new Designer(page);
  const dock = page.getByRole("region", { name: "Dock" });
  const set = async (label: string, value: string) => {
    await dock.getByLabel(label, { exact: true }).fill(value);
    await dock.getByLabel(label, { exact: true }).press("Enter");
  };
  await page.emulateMedia({ colorScheme: "dark" });
  await designer.createFromExample("mo-flow", "mo_flow");
  await designer.run();
  await designer.treeRow("MoFlow").click();
  await dock.getByRole("tab", { name: "Load", exact: true }).click();
  await set("Start", "200");
  await set("Step", "100");
  await set("Every", "5");
  await dock.getByRole("button", { name: "Start the load" }).click();
  await dock.getByRole("status").getByText("Broke", { exact: true }).waitFor({ timeout: 300_000 });
  await page.waitForTimeout(500);
  await take(page, "load-dark");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).and(page.locator(":disabled")).waitFor();
}

/** concor's sample applications as they are drawn. */
async function examplePictures(page: Page, home: string): Promise<void> {
  const designer = new Designer(page);
  await page.emulateMedia({ colorScheme: "light" });
  for (const [example, folder] of [
    ["mo-flow", "messages"],
    ["ussd", "ussd"],
    ["mobile-money", "mobile_money"],
  ] as const) {
    await page.goto(home);
    await designer.createFromExample(example, folder);
    await designer.expectNoErrors();
    await page.waitForTimeout(1000);
    await take(page, `${example}-light`);
  }
}

/** concor's Case 1: six threads and one connection to the database. */
async function bottleneckPicture(page: Page): Promise<void> {
  const designer = new Designer(page);
  await page.emulateMedia({ colorScheme: "light" });
  await designer.createFromExample("mo-flow", "case1");
  await designer.run();
  await designer.treeRow("MoFlow").click();
  await designer.inspector.getByLabel("Events per second").fill("1000");
  await designer.inspector.getByRole("button", { name: "Apply" }).first().click();
  await page.getByRole("tab", { name: "Metrics", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "Bottleneck: pool database" }).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(8000);
  await take(page, "case1-light");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).and(page.locator(":disabled")).waitFor();
}

/** `npx tsx e2e/tools/readmePictures.ts load` takes that one alone; `examples` and `ads` take others, and
 * `case1`, which asks for another environment, is taken only so. */
const only = process.argv[2];
const root = await mkdtemp(path.join(tmpdir(), "penstock-pictures-"));
const server = spawn(
  process.execPath,
  [
    path.join(repository, "codegen/bin/penstock.mjs"),
    ...["serve", "--workspace", path.join(root, "flows"), "--port", "0", "--no-open", "--json"],
  ],
  {
    env: {
      ...process.env,
      XDG_STATE_HOME: path.join(root, "state"),
      ...(only === "case1" ? { MO_FLOW_CONNECTIONS: "1" } : {}),
    },
    stdio: ["ignore", "pipe", "inherit"],
  },
);
const browser = await chromium.launch(CHROMIUM);
try {
  let address: string | undefined;
  for await (const line of createInterface({ input: server.stdout })) {
    address = /http:\/\/[^"\s]+/.exec(line)?.[0];
    if (address) break;
  }
  if (!address) throw new Error("penstock serve ended before it was ready");
  await mkdir(out, { recursive: true });
  const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: 1, colorScheme: "dark" });
  await page.goto(address);
  await page.getByRole("button", { name: "New project" }).waitFor();
  const known = page.getByRole("button", { name: "I know" });
  if (await known.isVisible()) await known.click();
  const home = new URL("/", address).href;
  const wanted = (name: string) => only === undefined || only === name;
  if (wanted("examples")) await examplePictures(page, home);
  if (only === "case1") await bottleneckPicture(page);
  for (const [name, picture] of Object.entries({ load: loadPicture, ads: pictures })) {
    if (!wanted(name)) continue;
    await page.goto(home);
    await picture(page);
  }
} finally {
  await browser.close();
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  await gone;
  await rm(root, { recursive: true, force: true });
}
