import { expect, test } from "../support/penstock.js";
import { COMPILED, Designer } from "../support/designer.js";
import { seriousViolations } from "../support/seriousViolations.js";

/** Of Addition: takes as long as nobody ends it. */
const ENDLESS = [
  "#include <chrono>",
  "#include <thread>",
  "",
  '#include "services/addition.hpp"',
  "",
  "namespace hello {",
  "",
  "Sum Addition::handle(const Terms& request) {",
  "  std::this_thread::sleep_for(std::chrono::hours(1));",
  "  return {.value = request.a + request.b};",
  "}",
  "",
  "}",
];
/** Keeps the compiler busy for as long as nobody ends it, and its memory small: it computes, and makes nothing. */
const ENDLESS_BUILD = [
  '#include "services/addition.hpp"',
  "",
  "#include <utility>",
  "",
  "template <int Round, int N>",
  "constexpr bool turn() {",
  "  bool odd = false;",
  "  for (unsigned char a = 0; a < 100; ++a)",
  "    for (unsigned char b = 0; b < 100; ++b)",
  "      for (unsigned char c = 0; c < 100; ++c) odd = !odd;",
  "  return odd;",
  "}",
  "template <int Round, int N> struct Turns {",
  "  static constexpr bool value = turn<Round, N>() != Turns<Round, N - 1>::value;",
  "};",
  "template <int Round> struct Turns<Round, 0> { static constexpr bool value = false; };",
  "template <int... Rounds>",
  "constexpr int rounds(std::integer_sequence<int, Rounds...>) {",
  "  return (0 + ... + Turns<Rounds, 800>::value);",
  "}",
  "",
  "namespace hello {",
  "",
  "Sum Addition::handle(const Terms&) {",
  "  return {.value = rounds(std::make_integer_sequence<int, 1000>())};",
  "}",
  "",
  "}",
];
/** What the server says of a measurement; of a short one the page shows only the end for sure. */
interface Told {
  type: string;
  status: { phase: string; total: number };
}
const FIGURE = /^\d+(\.\d)? (ns|µs|ms|s)$/;

test("should measure what a call of each service takes and chart it", async ({ signedIn: page }) => {
  const designer = new Designer(page);
  const dock = page.getByRole("region", { name: "Dock" });
  const chart = dock.getByRole("table", { name: "Time of a call by service" });
  const row = (service: string) => chart.getByRole("row").filter({ hasText: service });
  const begin = dock.getByRole("button", { name: "Run benchmarks" });
  const head = dock.getByRole("status");
  const told: Told[] = [];
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      const message = JSON.parse(String(payload)) as Told;
      if (message.type === "bench") told.push(message);
    }),
  );
  /** Waits for the end of the measurement that `begins`; how far it said to be. */
  const measured = async (begins: () => Promise<void>): Promise<Told["status"][]> => {
    const before = told.length;
    await begins();
    const phases = () => told.slice(before).map(({ status }) => status.phase);
    const end = () => phases().find((phase) => ["succeeded", "failed", "cancelled"].includes(phase));
    await expect.poll(end, COMPILED).toBeDefined();
    expect(end()).toBe("succeeded");
    expect(phases()).toContain("measuring");
    await expect(head).toContainText("Measured");
    return told.slice(before).flatMap(({ status }) => (status.phase === "measuring" ? [status] : []));
  };
  // The page has its socket already: the one that it opens now is heard from its first word on.
  await page.reload();
  await designer.createFromExample("hello", "measured");

  await test.step("nothing is measured yet", async () => {
    await dock.getByRole("tab", { name: "Bench", exact: true }).click();
    await expect(dock.getByText("Nothing measured yet")).toBeVisible();
  });

  await test.step("a bar and figures for each service", async () => {
    const states = await measured(() => begin.click());
    expect(states.at(-1)?.total).toBe(10);
    for (const service of ["Addition", "Multiplication"]) {
      await expect(row(service).locator(".bench-median")).toHaveText(FIGURE);
      await expect(row(service).locator(".bench-rate")).toHaveText(/^\d.*\/s$/);
    }
    const [first, second] = await chart
      .locator(".bench-bar")
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    expect(second).toBeGreaterThan(0);
    expect(first, "the dearest call comes first").toBeGreaterThanOrEqual(second!);
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
    await measured(() => designer.command("Run the benchmarks"));
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
    const again = row("Addition").getByRole("button", { name: "Measure Addition again" });
    const states = await measured(() => again.click());
    expect(states.at(-1)?.total).toBe(5);
    await expect(row("Multiplication").locator(".bench-median")).toHaveText(before ?? "");
  });

  await test.step("progress shows, and nothing is built meanwhile", async () => {
    await designer.writeHandler("Addition", ENDLESS);
    await dock.getByRole("tab", { name: "Bench", exact: true }).click();
    await begin.click();
    await expect(designer.statePill).toHaveText(/^measuring/, COMPILED);
    await expect(page.getByRole("button", { name: "Build", exact: true })).toBeDisabled();
    await expect(dock.getByRole("progressbar", { name: "Measuring" })).toBeVisible();
    await expect(head).toContainText(/\d+ \/ 10/, COMPILED);
  });

  await test.step("a measurement that is cancelled leaves the figures of the one before", async () => {
    await dock.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect(head).toContainText("Measuring cancelled");
    await expect(row("Addition").locator(".bench-median")).toHaveText(FIGURE);
    await expect(page.getByRole("button", { name: "Build", exact: true })).toBeEnabled();
  });

  await test.step("while a build runs it says why it waits", async () => {
    await designer.writeHandler("Addition", ENDLESS_BUILD);
    await page.getByRole("button", { name: "Build", exact: true }).click();
    await expect(dock.getByRole("tab", { name: "Build …", exact: true })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await dock.getByRole("tab", { name: "Bench", exact: true }).click();
    await expect(begin).toBeDisabled();
    await expect(dock.getByText("A build is running: wait for it, or cancel it")).toBeVisible();
    await page.getByRole("banner").getByRole("button", { name: "Cancel" }).click();
    await expect(begin).toBeEnabled();
  });
});
