import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { BENCH_OPTIONS } from "../bench/options.mjs";
import { EXPERIMENT_OPTIONS } from "../experiments/options.mjs";
import { chart } from "./chart.mjs";
import { askedOf } from "./command.mjs";
import { inTurn, median, ratio, short, spread, time } from "./figures.mjs";
import { busySeconds, othersShare } from "./quiet.mjs";
import { aligned, table } from "./tables.mjs";

describe("figures", () => {
  test("the median of a few is the middle one, or between the two middle ones", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 9, 1, 2])).toBe(5.5);
    expect(() => median([])).toThrow("nothing");
    expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3, runs: 3 });
  });

  test.each([
    [10.7e6, "10.7 M"],
    [999_600, "1.00 M"],
    [22_800, "22.8 k"],
    [117, "117"],
    [1.5, "1.50"],
    [3.03e9, "3.03 G"],
  ])("%d is short as %s", (value, text) => expect(short(value)).toBe(text));

  test("ratios keep two digits", () => expect([0.834, 3.21, 13.7].map(ratio)).toEqual(["0.83", "3.2", "14"]));

  test("times are told in the unit that reads best", () =>
    expect([0.0036, 0.0345, 0.345, 3.45, 34.5].map(time)).toEqual([
      ...["3.6 ms", "35 ms", "345 ms", "3.5 s", "34.5 s"],
    ]));

  test("each round begins with another one, and leaves none out", () =>
    expect([0, 1, 2, 3].map((round) => inTurn(["a", "b", "c"], round).join(""))).toEqual([
      ...["abc", "bca", "cab", "abc"],
    ]));
});

test("a quiet machine is known by what others did, stolen time included, idle and waiting left out", () => {
  const stat = (user, steal) => `cpu  ${user} 50 25 900 7 5 20 ${steal} 3 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n`;
  expect(busySeconds(stat(100, 0))).toBe(2);
  expect(busySeconds(stat(100, 100))).toBe(3);
  expect(othersShare({ busy: 2, at: 10 }, { busy: 4, at: 11 }, 1.86)).toBeCloseTo(0.1);
  expect(othersShare({ busy: 2, at: 10 }, { busy: 4, at: 11 }, 2.1)).toBe(0);
});

describe("tables", () => {
  test("of Markdown have words to the left, and no cell that ends early", () => {
    expect(table(1, ["what", "n"], [["a | b", "1"]])).toBe("| what | n |\n| --- | ---: |\n| a \\| b | 1 |");
    expect(table([1], ["n", "what"], [])).toBe("| n | what |\n| ---: | --- |");
  });

  test("of the terminal are as wide as their widest cells", () =>
    expect(aligned([...[["a", "bb", "c"]], ...[["aa", "b", "10"]]])).toBe("a   bb   c\naa  b   10"));
});

test("a chart has a bar for each contender, within its card, and escapes names", () => {
  const results = [4.2e6, 5e6, 1e6].map((value, at) => ({ contender: `c${at}`, ...spread([value]) }));
  const svg = chart("a < b", [{ name: "ping-pong/spin", unit: "calls/s", results }]);
  expect(svg.match(/<rect /g)).toHaveLength(results.length + 1);
  expect(svg).toContain("a &lt; b");
  expect(svg).toContain("4.20 M");
  const edges = [...svg.matchAll(/<rect x="([\d.]+)"[^>]* width="([\d.]+)"/g)].map(
    ([, x, width]) => Number(x) + Number(width),
  );
  expect(Math.max(...edges)).toBeLessThanOrEqual(760);
});

describe.each([
  { name: "bench", command: BENCH_OPTIONS, part: ["--only", "mpsc"] },
  { name: "experiments", command: EXPERIMENT_OPTIONS, part: ["--only", "ussd"] },
])("npm run $name", ({ name, command, part }) => {
  const file = path.join(tmpdir(), "x.json");
  test("draws the page of a run of everything; with --json and of a part it stays", () => {
    expect(askedOf(command, [])).toMatchObject({ whole: true, docs: true, redraw: false });
    expect(askedOf(command, ["--json", file])).toMatchObject({ docs: false, json: file });
    expect(askedOf(command, ["--json", file, "--docs"]).docs).toBe(true);
    expect(askedOf(command, part)).toMatchObject({ whole: false, docs: false });
  });

  test.each([
    [["--json", path.join(tmpdir(), "penstock-not-there", "x.json")], "missing or read-only"],
    [["--json", tmpdir()], "it is a folder"],
    [["--docs", ...part], "--docs needs a run of everything, without "],
    [["--redraw", ...part], "--redraw measures nothing"],
    [["--only", "no-such"], '--only does not know "no-such"'],
    [["--jsn", "x"], "Unknown option '--jsn'"],
    [["mpsc"], "Unexpected argument 'mpsc'"],
  ])("refuses %j", (args, words) => expect(() => askedOf(command, args)).toThrow(words));

  test("ends with 2 and the usage where it is used wrongly, before anything is built", () => {
    const ended = spawnSync(process.execPath, [scriptOf(name), "--only", "nothing"], { encoding: "utf8" });
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain('--only does not know "nothing"');
    expect(ended.stderr).toContain("--json FILE");
  });
});

test.each(["bench", "carving", "experiments", "times"])("npm run %s -- --help says what it takes", (name) => {
  const ended = spawnSync(process.execPath, [scriptOf(name), "--help"], { encoding: "utf8" });
  expect(ended.status, ended.stderr).toBe(0);
  expect(ended.stdout).toMatch(`npm run ${name} `);
});

const scriptOf = (name) => fileURLToPath(new URL(`../${name}.mjs`, import.meta.url));
