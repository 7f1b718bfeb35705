import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { exampleOptions } from "../example/options.mjs";
import { lineChart } from "../measure/chart.mjs";
import { askedOf } from "../measure/command.mjs";
import { isWiremock } from "../setup/wiremock.mjs";
import { APPLICATIONS, MODES } from "./applications.mjs";
import { EXPERIMENT_OPTIONS } from "./options.mjs";
import { concorOverhead, joins, memory, overhead, printedSummary } from "./tables.mjs";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const folder = mkdtempSync(path.join(tmpdir(), "penstock-experiments-"));
afterAll(() => rmSync(folder, { recursive: true }));

const rows = MODES.flatMap((mode, index) =>
  [1, 2, 3].map((attempt) => ({
    experiment: 1,
    application: "ussd",
    mode,
    attempt,
    throughput: 2000 + attempt - index * 10,
    p50Ms: 50,
    p99Ms: 52,
    lost: 0,
    repeated: index,
    cpuUs: 200,
  })),
);

test("should compare each mode with by hand, and take the spread by hand as the margin", () => {
  const [{ application, modes, margin }] = overhead(rows);
  expect(application.name).toBe("ussd");
  expect(modes.map(({ average }) => average)).toEqual([2002, 1992, 1982]);
  expect(modes.map(({ deviation }) => Number(deviation.toFixed(3)))).toEqual([0, -0.5, -0.999]);
  expect(modes.map(({ repeated }) => repeated)).toEqual([0, 3, 6]);
  expect(margin).toBeCloseTo(0.0999, 3);
  expect(printedSummary(rows)).toContain("sampling-off    1992.0/s   -0.50 %");
});

test("should have concor's figures as concor has them, in its Table 5-7", () => {
  const said = APPLICATIONS.map((application) => concorOverhead(application));
  expect(said.map(([byHand]) => byHand.average.toFixed(2))).toEqual(["1653.33", "2120.00", "2126.67"]);
  expect(said.map(([, off]) => -off.deviation)).toEqual([
    expect.closeTo(0.402, 2),
    expect.closeTo(0.157, 2),
    // Table 5-7 says 0.626, which its own averages do not give.
    expect.closeTo(1.097, 2),
  ]);
  expect(said.map(([, , on]) => on.margin)).toEqual([
    expect.closeTo(0.604, 2),
    expect.closeTo(0.471, 2),
    expect.closeTo(0.47, 2),
  ]);
});

test("should compare p99 in the second of a change with what it was before", () => {
  const one = { experiment: 2, load: "1000", lost: 0, repeated: 0, perSecond: [1000], attempt: 1 };
  const [found] = joins([
    { ...one, operation: "add", p99Ms: 12, steadyP99Ms: 10, lost: 1 },
    { ...one, operation: "remove", p99Ms: 9, steadyP99Ms: 10, lost: 1 },
  ]);
  expect(found).toMatchObject({ load: "1000", worst: 1.2, lost: 1, repeated: 0 });
});

test("should say what memory there was at the end of each part, and draw it a second at a time", () => {
  const one = { experiment: 3, application: "mo-flow", attempt: 1, lost: 0, repeated: 0 };
  const part = { rates: [800, 1920, 800], phaseSeconds: 2 };
  const rows = [
    { ...one, ...part, mode: "by-hand", residentMiB: [1, 2, 3, 60, 120, 110, 100] },
    { ...one, ...part, mode: "sampling-on", residentMiB: [9, 10, 10, 12, 13, 12, 11], lost: 1 },
  ];
  const said = memory(rows);
  expect(said.map(({ begun, ends, most }) => [begun, ...ends, most])).toEqual([
    [1, 3, 120, 100, 120],
    [9, 10, 13, 11, 13],
  ]);
  expect(printedSummary(rows)).toContain(
    "sampling-on   9.0 -> 10.0 -> 13.0 -> 11.0 MiB, at most 13.0, lost 1",
  );
  const drawn = lineChart("A <title>", {
    unit: "MiB",
    lines: [{ name: "by hand", side: "peer", values: [0, 120] }],
    marks: [{ at: 1, name: "more" }],
  });
  expect(drawn).toContain("A &lt;title&gt;");
  expect(drawn).toContain('d="M64 262L736 62"');
  expect(drawn).toContain(">more</text>");
});

test("should measure quickly, often and wherever it is told, and refuse what makes no sense", () => {
  const asked = (...args) => askedOf(EXPERIMENT_OPTIONS, args);
  expect(asked()).toMatchObject({ attempts: 3, seconds: { limit: 12 }, whole: true });
  expect(asked("--quick")).toMatchObject({ seconds: { limit: 1.5 }, whole: false, docs: false });
  expect(asked("--in", folder, "--attempts", "1")).toMatchObject({ folder, attempts: 1 });
  expect(() => asked("--attempts", "0")).toThrow("from 1 to 9");
  expect(() => asked("--docs", "--quick")).toThrow("without --quick and --only");
});

test("should run an example that is there, and refuse --real where nothing could be real", () => {
  expect(exampleOptions(root, ["mo-flow", "--real"])).toMatchObject({ name: "mo-flow", real: true });
  expect(() => exampleOptions(root, ["ads", "--real"])).toThrow("ads asks neither a database nor HTTP");
  for (const args of [[], ["mo_flow"], ["toString"], ["ads", "hello"], ["ads", "--project", folder]])
    expect(() => exampleOptions(root, args), args.join(" ")).toThrow();
  writeFileSync(path.join(folder, "topology.json"), "{}");
  expect(exampleOptions(root, ["ads", "--project", folder])).toMatchObject({ project: folder });
});

test("should take nothing for WireMock but WireMock", () => {
  const sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(isWiremock(Buffer.from("abc"), sha256)).toBe(true);
  expect(isWiremock(Buffer.from("abc"))).toBe(false);
});
