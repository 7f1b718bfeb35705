import { expect, test } from "../support/penstock.js";
import { Designer } from "../support/designer.js";
import { seriousViolations } from "../support/seriousViolations.js";

const HANDLER = [
  '#include "services/addition.hpp"',
  "",
  "namespace hello {",
  "",
  "Sum Addition::handle(const Terms& request) {",
  "  return {.value = request.a - -request.b};",
  "}",
  "",
  "}",
];
const FIGURE = /^\d+(\.\d)? (ns|µs|ms)$/;

test("should measure what a call of each service takes and chart it", async ({ signedIn: page }) => {
  const designer = new Designer(page);
  const dock = page.getByRole("region", { name: "Dock" });
  const chart = dock.getByRole("table", { name: "Time of a call by service" });
  const row = (service: string) => chart.getByRole("row").filter({ hasText: service });
  const begin = dock.getByRole("button", { name: "Run benchmarks" });
  const head = dock.getByRole("status");
  await designer.createFromExample("hello", "measured");

  await test.step("nothing is measured yet", async () => {
    await dock.getByRole("tab", { name: "Bench", exact: true }).click();
    await expect(dock.getByText("Nothing measured yet")).toBeVisible();
  });

  await test.step("progress shows, and nothing is built meanwhile", async () => {
    await begin.click();
    await expect(designer.statePill).toHaveText(/^measuring/);
    await expect(page.getByRole("button", { name: "Build", exact: true })).toBeDisabled();
    await expect(dock.getByRole("progressbar", { name: "Measuring" })).toBeVisible();
    await expect(head).toContainText(/\d+ \/ 10/);
  });

  await test.step("a bar and figures for each service", async () => {
    await expect(head).toContainText("Measured");
    for (const service of ["Addition", "Multiplication"]) {
      await expect(row(service).locator(".bench-median")).toHaveText(FIGURE);
      await expect(row(service).locator(".bench-rate")).toHaveText(/^\d.*\/s$/);
      const bar = await row(service).locator(".bench-bar").boundingBox();
      expect(bar?.width).toBeGreaterThan(10);
    }
    const medians = await chart
      .locator(".bench-bar")
      .evaluateAll((bars) => bars.map((bar) => bar.clientWidth));
    expect(medians, "the dearest call comes first").toEqual(medians.toSorted((one, other) => other - one));
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect.soft(await seriousViolations(page), colorScheme).toEqual([]);
    }
  });

  await test.step("figures are there after a reload", async () => {
    await page.reload();
    await dock.getByRole("tab", { name: "Bench", exact: true }).click();
    await expect(row("Addition").locator(".bench-median")).toHaveText(FIGURE);
  });

  await test.step("by keyboard alone, and compared with the run before", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("run the benchmarks");
    await page.keyboard.press("Enter");
    await expect(head).toContainText(/Generating|Configuring|Compiling|Measuring/);
    await expect(head).toContainText("Measured");
    for (const service of ["Addition", "Multiplication"]) {
      await expect(row(service).locator(".bench-since")).toHaveText(
        /^[+−±]\d+ % (in the noise|faster|slower)$/,
      );
      await expect(row(service).locator(".bench-before")).toHaveCount(1);
    }
  });

  await test.step("a row leads to its node, and measures it alone", async () => {
    await row("Addition").getByRole("button", { name: "Addition", exact: true }).click();
    await expect(designer.inspector.getByRole("textbox", { name: "Name" })).toHaveValue("Addition");
    const before = await row("Multiplication").locator(".bench-median").textContent();
    await row("Addition").getByRole("button", { name: "Measure Addition again" }).click();
    await expect(head).toContainText(/\d+ \/ 5/);
    await expect(head).toContainText("Measured");
    await expect(row("Multiplication").locator(".bench-median")).toHaveText(before ?? "");
  });

  await test.step("a measurement that is cancelled leaves the figures of the one before", async () => {
    await begin.click();
    await dock.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect(head).toContainText("Measuring cancelled");
    await expect(row("Addition").locator(".bench-median")).toHaveText(FIGURE);
    await expect(page.getByRole("button", { name: "Build", exact: true })).toBeEnabled();
  });

  await test.step("while a build runs it says why it waits", async () => {
    // Something to compile, so that the build lasts.
    await designer.writeHandler("Addition", HANDLER);
    await page.getByRole("button", { name: "Build", exact: true }).click();
    await expect(dock.getByRole("tab", { name: "Build …", exact: true })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await dock.getByRole("tab", { name: "Bench", exact: true }).click();
    await expect(begin).toBeDisabled();
    await expect(dock.getByText("A build is running: wait for it, or cancel it")).toBeVisible();
    await expect(begin).toBeEnabled();
  });
});
