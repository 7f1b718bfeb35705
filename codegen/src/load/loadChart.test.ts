import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  LOAD_DEFAULTS,
  failureTexts,
  outcomeText,
  wholeText,
  type LoadReport,
  type LoadSecond,
} from "../contract/index.js";
import { keepReport, readReport } from "./keepReport.js";
import { loadChart } from "./loadChart.js";
import { loadProblems } from "./loadProblems.js";

const second = (at: number, more: Partial<LoadSecond> = {}): LoadSecond => ({
  second: at,
  target: 100,
  sent: 100,
  completed: 100,
  failed: 0,
  waiting: 1,
  queued: null,
  p50Us: 300,
  p90Us: 500,
  p99Us: 900,
  maxUs: 1000,
  busy: 0.1,
  held: true,
  ...more,
});
const report: LoadReport = {
  version: 1,
  target: { kind: "url", method: "POST", url: 'http://127.0.0.1:1/<script>&"' },
  settings: LOAD_DEFAULTS,
  startedAtMs: 0,
  lengthS: null,
  outcome: "broke",
  heldPerSecond: 90,
  breakingPoint: { perSecond: 90, brokeAt: 100, second: 2, fault: "waiting" },
  seconds: [
    second(0),
    second(1, { p50Us: null, p90Us: null, p99Us: null, maxUs: null, completed: 0, held: false }),
    second(2, { p99Us: 2_000_000, waiting: 80, held: false }),
    second(3),
  ],
  whole: {
    tookMs: 4012,
    sent: 400,
    completed: 300,
    failed: 0,
    minUs: 210,
    p50Us: 300,
    p95Us: 18_240,
    p99Us: 1_600_000,
    maxUs: 2_000_000,
  },
  failures: [],
};

/** The y of every point of a curve, by the class of its path. */
const pointsOf = (svg: string, style: string): string[][] =>
  [...svg.matchAll(new RegExp(`<path class="${style}" d="([^"]*)"`, "g"))].map(
    ([, d]) => d?.match(/[ML][^ML]+/g) ?? [],
  );

test("should draw every second of every curve, higher values higher up, and break a line where nothing is known", () => {
  const svg = loadChart(report);
  const [done, p50, waiting] = pointsOf(svg, "one");
  expect([done?.length, p50?.length, waiting?.length]).toEqual([4, 3, 4]);
  const y = (point: string | undefined): number => Number(point?.split(" ")[1]);
  expect(y(done?.[1])).toBeGreaterThan(y(done?.[0]));
  expect(y(waiting?.[2])).toBeLessThan(y(waiting?.[1]));
  expect(p50?.map((point) => point[0])).toEqual(["M", "M", "L"]);
  // Two seconds, in each of the three charts.
  expect(svg.match(/class="missed"/g)).toHaveLength(6);
  expect(svg.match(/class="broke"/g)).toHaveLength(1);
  expect(svg).toContain(
    "held 90/s; broke at 100/s after 2 s: more and more events waited, no recovery within 15 s",
  );
});

test("should let no text of an address out of its place", () => {
  const svg = loadChart(report);
  expect(svg).not.toContain("<script>");
  expect(svg).toContain("&lt;script&gt;&amp;&quot;");
});

test("should keep a report and its chart whole, and read none that is not one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "penstock-load-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  expect(readReport(folder)).toBeNull();
  const files = await keepReport(join(folder, "deep", "er"), report);
  expect(readReport(join(folder, "deep", "er"))).toEqual(report);
  const { whole: _, ...before } = report;
  await writeFile(files.json, JSON.stringify(before));
  expect(readReport(join(folder, "deep", "er"))).toEqual({ ...report, whole: null });
  expect(await readFile(files.svg, "utf8")).toBe(loadChart(report));
  expect(await readdir(join(folder, "deep", "er"))).toEqual(["load.json", "load.svg"]);
  for (const text of ["{", "[]", JSON.stringify({ ...report, seconds: [{}] })]) {
    await writeFile(files.json, text);
    expect(readReport(join(folder, "deep", "er"))).toBeNull();
  }
});

test("should say when the simulator itself was at its limit, and when the target was gone", () => {
  expect(loadProblems(report)).toEqual([]);
  const seconds = Array.from({ length: 40 }, (_, at) => second(at, { busy: at < 20 ? 0.2 : 0.97 }));
  const brokeAt = (at: number): LoadReport => ({
    ...report,
    seconds,
    breakingPoint: { perSecond: 90, brokeAt: 100, second: at, fault: "waiting" },
  });
  expect(loadProblems(brokeAt(30))).toMatchObject([{ code: "PS887", severity: "warning" }]);
  // Long before it was busy, or only for a moment: the target's own limit.
  expect(loadProblems(brokeAt(10))).toEqual([]);
  expect(loadProblems({ ...report, breakingPoint: null, seconds })).toHaveLength(1);
  expect(loadProblems({ ...report, outcome: "failed" })).toMatchObject([{ code: "PS886" }]);
});

test("should say that nothing was done", () => {
  const of = (completed: number, failed: number): object[] =>
    loadProblems({ ...report, whole: report.whole && { ...report.whole, completed, failed } });
  expect(of(0, 400)).toMatchObject([
    { code: "PS873", message: expect.stringMatching(/nothing.* 400 sent$/) },
  ]);
  expect(of(0, 0)).toHaveLength(1); // nobody has answered
  const failedOf = (reason: string) =>
    loadProblems({
      ...report,
      whole: report.whole && { ...report.whole, completed: 0, failed: 400 },
      failures: [{ reason, count: 400 }],
    })[0]?.help;
  expect(failedOf("HTTP 401")).toContain("Authorization: Bearer");
  expect(failedOf("HTTP 404")).toContain("the path");
  expect(failedOf("no answer within 10 s")).toContain("Send one request by hand");
  expect(of(1, 399)).toEqual([]);
});

test("should say in one sentence what a load came to", () => {
  const ended: LoadReport = { ...report, outcome: "ended", breakingPoint: null, heldPerSecond: 12_500 };
  expect(outcomeText(ended)).toBe("held 12,500/s");
  expect(outcomeText({ ...ended, heldPerSecond: null, seconds: [] })).toBe("nothing was measured");
  const short = { ...ended, heldPerSecond: null, seconds: [second(0), second(1)] };
  expect(outcomeText(short)).toBe("kept up with 100/s for less than a step");
  const shaken = { ...short, seconds: [second(0, { held: false }), second(1)] };
  expect(outcomeText(shaken)).toBe("no step was held to its end");
});

test("should say what requests failed of most", () => {
  const failures = ["HTTP 401", "ECONNREFUSED", "HTTP 503", "HTTP 500"].map((reason, at) => ({
    reason,
    count: 1249 - at,
  }));
  expect(failureTexts({ failures })).toEqual([
    "1,249 failed: HTTP 401",
    "1,248 failed: ECONNREFUSED",
    "1,247 failed: HTTP 503",
  ]);
  expect(failureTexts({ failures: [] })).toEqual([]);
});

test("should say in one line what the whole load was, with what is known of it", () => {
  const known =
    "400 sent, 300 done, 100 unfinished in 4.0 s; min 210 µs, median 300 µs, p95 18.2 ms, p99 1.6 s, max 2.0 s";
  const { whole, target } = report;
  expect(whole && wholeText(whole, target)).toBe(known);
  expect(loadChart(report)).toContain(`>${known}<`);
  const flow = { tookMs: 60_000, sent: 6000, completed: 5990, failed: 9.5, maxUs: 900 };
  const unknown = { minUs: null, p50Us: null, p95Us: null, p99Us: null };
  expect(wholeText({ ...flow, ...unknown }, { kind: "flow", binary: "app", flow: "Events" })).toBe(
    "6,000 sent, 5,990 done, 9.5 failed in 60.0 s; max 900 µs",
  );
});
