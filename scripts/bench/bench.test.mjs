import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askedOf } from "../measure/command.mjs";
import { benchPrograms } from "./build.mjs";
import { printedGoals, printedTable, summary, verdict } from "./goals.mjs";
import { measureAll } from "./measure.mjs";
import { BENCH_OPTIONS, chosenWorkloads } from "./options.mjs";
import { chartsOf, performanceFiles, performancePage } from "./page.mjs";
import { FAMILIES, WORKLOADS } from "./workloads.mjs";

const result = (workload, contender, ...values) => summary(workload, contender, "calls/s", values);
const SPIN = [
  result("ping-pong/spin", "penstock", 4.2e6, 4e6, 4.4e6),
  result("ping-pong/spin", "limit-mailbox", 5e6),
  result("ping-pong/spin", "limit-atomics", 10e6),
  result("ping-pong/spin", "caf", 1e6),
  result("ping-pong/spin", "promise-mpsc", 2e6),
];
/** Of a workload with a goal that these miss. */
const MANY = SPIN.map((one) => ({ ...one, workload: "outstanding-64" }));

test("a result has what --json promises, and nothing else", () => {
  expect(summary("w", "c", "calls/s", [3, 1, 2])).toEqual({
    ...{ workload: "w", contender: "c", unit: "calls/s" },
    ...{ median: 2, min: 1, max: 3, runs: 3 },
  });
});

describe("goals", () => {
  const [spin] = WORKLOADS;

  test("are ratios to the best of those they name", () => {
    const how = verdict(spin, SPIN);
    expect(how.peer.contender).toBe("promise-mpsc");
    expect(how.limit.contender).toBe("limit-mailbox");
    expect(how.goals).toMatchObject([{ rival: "limit-mailbox", reached: 0.84, met: true }]);
    expect(
      verdict(
        WORKLOADS.find(({ name }) => name === "outstanding-64"),
        MANY,
      ).goals,
    ).toMatchObject([
      { rival: "limit-mailbox", reached: 0.84, met: true },
      { rival: "caf", reached: 4.2, met: false },
    ]);
    expect(printedGoals(SPIN)).toContain("✓ ping-pong/spin: 0.8x limit-mailbox: 0.84x");
    expect(printedGoals(MANY)).toContain("✗ outstanding-64: 10x caf, caf-one-worker, asio-poll: 4.2x caf");
  });

  test("to a contender that is not installed are left out, and ours missing has no verdict", () => {
    expect(verdict(spin, SPIN.slice(0, 1)).goals).toEqual([]);
    expect(verdict(spin, SPIN.slice(1))).toBeUndefined();
  });

  test("of what one may cost are reached or not", () => {
    const inline = WORKLOADS.find(({ name }) => name === "inline-call");
    expect(verdict(inline, [result("inline-call", "penstock", 1e8)]).goals).toMatchObject([
      { met: false, reached: 10, share: 0.5 },
    ]);
    expect(printedGoals([result("inline-call", "penstock", 1e8)])).toBe(
      "✗ inline-call: at most 5 ns a call: 10.0 ns",
    );
  });

  test("of a figure that is a ratio itself are reached or not", () => {
    const overload = [result("overload/2x", "penstock", 0.81), result("overload/10x", "penstock", 0.81)];
    expect(printedGoals(overload)).toBe(
      "✗ overload/2x: at least 0.9 of capacity: 0.81\n✓ overload/10x: at least 0.8 of capacity: 0.81",
    );
    const twice = WORKLOADS.find(({ name }) => name === "overload/2x");
    expect(verdict(twice, overload).goals).toMatchObject([{ met: false, share: 0.9 }]);
  });

  test("of HTTP are Twirp's calls and its slowest, and a bare loop; of codecs code by hand and protobuf's own JSON", () => {
    const results = [
      ...[result("http/json", "penstock", 99e3), result("http/json", "twirp", 70e3)],
      ...[result("http/json", "limit-epoll", 150e3), result("http/json", "limit-epoll-2", 160e3)],
      ...[result("http-p99/json", "penstock", 500), result("http-p99/json", "twirp", 400)],
      ...[result("codec/read", "penstock", 7e6), result("codec/read", "limit-by-hand", 10e6)],
      ...[result("codec/json-read", "penstock", 900e3), result("codec/json-read", "protobuf", 100e3)],
    ];
    expect(printedGoals(results).split("\n")).toEqual([
      "✓ http/json: 1.4x twirp: 1.41x",
      "✗ http/json: 0.7x limit-epoll: 0.66x",
      "✓ http-p99/json: 1x twirp: 1.25x",
      "✓ codec/read: 0.67x limit-by-hand: 0.70x",
      "✗ codec/json-read: 10x protobuf: 9.0x",
    ]);
  });

  test("every workload belongs to a family of the page", () => {
    const families = FAMILIES.map(({ name }) => name);
    expect(WORKLOADS.filter(({ family }) => !families.includes(family))).toEqual([]);
  });
});

describe("measuring", () => {
  let folder;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "penstock-bench-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A program that lists these contenders, and else does what `script` says: `$1` the workload, `$2` the contender. */
  function programOf(workload, contenders, script) {
    const program = path.join(folder, "compare");
    const lines = contenders.map((contender) => `'${JSON.stringify({ workload, contender, what: "" })}'`);
    const list = `printf '%s\\n' ${lines.join(" ")}`;
    writeFileSync(program, `#!/bin/sh\ncd ${folder}\nif [ $# = 0 ]; then ${list}; exit; fi\n${script}\n`, {
      mode: 0o755,
    });
    return [program];
  }
  const BOTH = ["penstock", "penstock-unmetered"];
  /** Each run is noted, and gets 3, 6, 9 ... calls/s; `b` crashes. */
  const COUNTS = `echo "$2" >> log
if [ "$2" = b ]; then echo "no luck" >&2; exit 1; fi
echo '{"rate":'$(( $(wc -l < log) * 3 ))',"cpu_seconds":0}'`;
  const measure = (workload, contenders, script, how) =>
    measureAll(programOf(workload, contenders, script), [workload], how, () => {});
  const how = { runs: 5, rough: true, deadline: Infinity };

  test("alternates the contenders of a workload, and goes on without one that crashed", async () => {
    const measured = await measure("inline-call", ["a", "b", "c"], COUNTS, how);
    expect(readFileSync(path.join(folder, "log"), "utf8").replaceAll("\n", "")).toBe("abccacaacca");
    expect(measured.errors).toEqual(["inline-call b ended with 1: no luck"]);
    expect(measured.results).toMatchObject([
      { workload: "inline-call", contender: "a", unit: "calls/s", runs: 5 },
      { workload: "inline-call", contender: "c", runs: 5 },
    ]);
    expect(measured.repeated).toBe(0);
  });

  test("takes ours as a share of what it is measured against, run by run, in alternating pairs", async () => {
    const { results } = await measure("metrics-overhead", BOTH, COUNTS, how);
    // 1 before 2, 4 after 3, 5 before 6 ...: three times as many runs, for one per cent.
    const ratios = Array.from({ length: 15 }, (_, run) =>
      run % 2 === 0 ? (2 * run + 1) / (2 * run + 2) : (2 * run + 2) / (2 * run + 1),
    );
    expect(results).toEqual([summary("metrics-overhead", "penstock", "of unmetered", ratios)]);
  });

  test("counts instructions where time says too little", async () => {
    // Blanks, one by one: twice as many for ours.
    const turns = '[ $2 = penstock ] && n=$(($3 * 2)) || n=$3; printf "%${n}s" ""';
    const measured = await measure("metrics-overhead/instructions", BOTH, turns, how);
    expect(measured.errors).toEqual([]);
    expect(measured.results).toMatchObject([{ contender: "penstock", unit: "of unmetered", runs: 1 }]);
    expect(measured.results[0].median).toBeCloseTo(0.5);
  });

  test("takes five runs and no more when the time is over", async () => {
    const late = { runs: 9, rough: false, deadline: 0 };
    const { results } = await measure("own-mailbox", ["a"], COUNTS, late);
    expect(results).toEqual([summary("own-mailbox", "a", "calls/s", [3, 6, 9, 12, 15])]);
  });
});

test("peers that were built are asked what they have, but those that a contender of ours asks", () => {
  const root = mkdtempSync(path.join(tmpdir(), "penstock-bench-"));
  const made = ["go/peers", "twirp/server"].map((program) => path.join(root, "build/bench/peers", program));
  for (const program of made) {
    mkdirSync(path.dirname(program), { recursive: true });
    writeFileSync(program, "");
  }
  const peers = (...workloads) => benchPrograms(root, workloads).filter((program) => made.includes(program));
  expect(peers("pool-call/1", "http/json")).toEqual(made.slice(0, 1));
  expect(peers("http/json", "http-p99/json")).toEqual([]);
  rmSync(root, { recursive: true });
});

test("--only takes workloads, families and lists, in the order of the page", () => {
  expect(chosenWorkloads("mpsc")).toEqual(["mpsc/1", "mpsc/2", "mpsc/4"]);
  expect(chosenWorkloads("inline-call,ping-pong/park")).toEqual(["ping-pong/park", "inline-call"]);
});

test.each([
  [["--only", "pingpong"], "workloads: ping-pong/spin, "],
  [["--only", ""], "--only does not know"],
  [["--runs", "4"], "5 to 99"],
  [["--runs", "1e1"], "5 to 99"],
])("%j is wrong usage", (args, words) => expect(() => askedOf(BENCH_OPTIONS, args)).toThrow(words));

describe("what is shown", () => {
  test("the table has every figure, and what ours is of it", () => {
    const lines = printedTable(SPIN).split("\n");
    expect(lines[0]).toMatch(/^workload +contender +median +min +max +unit +runs +ours is$/);
    expect(lines.find((line) => line.includes("caf"))).toMatch(/1\.00 M .*calls\/s +1 +4\.2x$/);
    expect(lines).toHaveLength(SPIN.length + 1);
  });

  const kept = {
    results: SPIN,
    contenders: [{ workload: "ping-pong/spin", contender: "caf", what: "CAF | actors" }],
    machine: {
      cpu: "A CPU",
      cores: 2,
      system: "S",
      compiler: "g++ 12",
      flags: "-O2",
      peers: ["libcaf-dev 1"],
    },
    date: "2026-11-21T17:00:00Z",
    load: { before: "0.1", after: "0.2" },
    disturbed: 0,
    repeated: 2,
    missing: [],
  };

  test("the page stamps machine, date and load, shows the goals and how far a missed one is", () => {
    const page = performancePage(kept);
    for (const words of ["A CPU, 2 processors", "2026-11-21T17:00:00Z", "0.1; 0.2", "libcaf-dev 1", "-O2"]) {
      expect(page).toContain(words);
    }
    expect(page).toContain("✅ 0.8x `limit-mailbox`: **0.84x**");
    expect(performancePage({ ...kept, results: MANY })).toContain(
      "- **outstanding-64**: asked for 10x `caf`, `caf-one-worker`, `asio-poll`, reached 4.2x `caf`, 58 % short.",
    );
    expect(page).toContain("CAF \\| actors");
    expect(page).toContain("1 to 3 of each contender");
    expect(page).not.toContain("rough");
    expect(performancePage({ ...kept, disturbed: 3 })).toContain(
      "rough.** The machine was never quiet for long: in 3 of the 7 runs",
    );
  });

  test("the page shows the charts that are drawn, and no others", () => {
    const shown = [...performancePage(kept).matchAll(/images\/performance\/([\w-]+)\.svg/g)].map(
      ([, name]) => name,
    );
    expect(shown).toEqual(chartsOf(SPIN).map(({ name }) => name));
    expect(Object.keys(performanceFiles(kept))).toEqual([
      ...shown.map((name) => `images/performance/${name}.svg`),
      "performance.md",
    ]);
  });
});
