import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "../support/penstock.js";
import { Designer } from "../support/designer.js";
import { seriousViolations } from "../support/seriousViolations.js";

/** Keeps its one thread for 50 ms: never more than 20 a second, so that 100 are too many on any machine. */
const HANDLER = [
  "#include <chrono>",
  "#include <thread>",
  "",
  '#include "services/multiplication.hpp"',
  "",
  "namespace hello {",
  "",
  "penstock::Task<Product> Multiplication::handle(const Factors& request) {",
  "  std::this_thread::sleep_for(std::chrono::milliseconds(50));",
  "  co_return Product{.value = request.x * request.y};",
  "}",
  "",
  "}",
];

test("should load a flow until it breaks, draw every second of it, and give its rate back", async ({
  signedIn: page,
  penstock,
}) => {
  const designer = new Designer(page);
  const dock = page.getByRole("region", { name: "Dock" });
  const head = dock.getByRole("status");
  const begin = dock.getByRole("button", { name: "Start the load" });
  const stop = dock.getByRole("button", { name: "Stop the load" });
  const chart = (name: string) => dock.getByRole("figure", { name });
  const set = async (label: string, value: string) => {
    await dock.getByLabel(label, { exact: true }).fill(value);
    await dock.getByLabel(label, { exact: true }).press("Enter");
  };
  await designer.createFromExample("hello", "loaded");
  await designer.writeHandler("Multiplication", HANDLER);
  await designer.view("Flow");

  await test.step("nothing runs yet: only an address can be loaded", async () => {
    await dock.getByRole("tab", { name: "Load", exact: true }).click();
    await expect(dock.getByLabel("What to load")).toHaveValue("url");
    await expect(dock.getByLabel("Address")).toBeVisible();
  });

  await test.step("a flow that runs is offered, with concor's ten more every ten seconds", async () => {
    await designer.run();
    await dock.getByRole("tab", { name: "Load", exact: true }).click();
    await expect(dock.getByLabel("What to load")).toHaveValue("hello/Exercises");
    for (const [label, value] of [
      ["Start", "100"],
      ["Step", "10"],
      ["Every", "10"],
      ["Recovery", "15"],
    ] as const)
      await expect(dock.getByLabel(label, { exact: true })).toHaveValue(value);
  });

  await test.step("progress shows, and the settings cannot be changed meanwhile", async () => {
    // It goes on until somebody ends it.
    await set("Every", "600");
    await set("Recovery", "600");
    await begin.click();
    await expect(dock.getByRole("tab", { name: "Load …", exact: true })).toBeVisible();
    await expect(dock.getByRole("progressbar", { name: "Load" })).toBeVisible();
    await expect(dock.getByLabel("Start", { exact: true })).toBeDisabled();
    await expect(chart("Throughput").locator(".chart-title")).toContainText("due 100/s");
    await designer.treeRow("Exercises").click();
    await expect(designer.inspector).toContainText("100 asked");
  });

  await test.step("its line is on the chart of the metrics too", async () => {
    await dock.getByRole("tab", { name: "Metrics", exact: true }).click();
    await expect(chart("Throughput").locator(".chart-title")).toContainText("due 100/s");
    await dock.getByRole("tab", { name: "Load …", exact: true }).click();
  });

  await test.step("stopped from the keyboard, it keeps what was measured", async () => {
    await designer.command("Stop the load");
    await expect(head).toContainText("Stopped");
    await expect(chart("Throughput")).toBeVisible();
    await expect(begin).toBeEnabled();
    await expect(stop).toHaveCount(0);
  });

  await test.step("the breaking point is found and kept with its chart", async () => {
    await set("Recovery", "4");
    await begin.click();
    await expect(head).toContainText("Broke");
    await expect(head).toContainText(/no step was held to its end; broke at 100\/s after \d+ s/);
    // Whether one of so few events was among those that are sampled is luck.
    await expect(chart("Latency").locator(".chart-title")).toContainText("p99");
    const svg = await readFile(path.join(penstock.workspace, "loaded/build/load/load.svg"), "utf8");
    expect(svg).toContain("no recovery within 4 s");
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect.soft(await seriousViolations(page), colorScheme).toEqual([]);
    }
    await expect(designer.inspector).toContainText("20 asked");
  });

  await test.step("the load is there after a reload", async () => {
    await page.reload();
    await dock.getByRole("tab", { name: "Load", exact: true }).click();
    await expect(head).toContainText("Broke");
    await expect(chart("Throughput")).toBeVisible();
  });

  await test.step("an address of this machine is loaded with requests", async () => {
    await dock.getByLabel("What to load").selectOption("url");
    await dock.getByLabel("Method").selectOption("GET");
    await set("Address", `${penstock.origin}/healthz`);
    await set("End after", "2");
    await begin.click();
    await expect(head).toContainText("Done");
    await expect(head).toContainText("GET http://127.0.0.1");
    await expect(chart("Throughput").locator(".chart-title")).toContainText("done");
    await expect(chart("Throughput").locator(".chart-title")).not.toContainText("failed");
  });
});
