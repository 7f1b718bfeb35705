import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoadReport } from "../../src/contract/index.js";
import { documentOf, Penstock } from "../cli/penstock.js";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));

/** What mo-flow does in real time under load: queues, joins that come and go, a database with one connection. */

const penstock = new Penstock();
let dir: string;
beforeAll(async () => {
  dir = path.join(penstock.folder, "mo-flow");
  expect(await penstock.run(["init", dir, "--example", "mo-flow"])).toMatchObject({ code: 0 });
  // File by file, as users compile it.
  const built = await penstock.run(["build", dir, "--json"], { env: { CMAKE_TOOLCHAIN_FILE: undefined } });
  expect(documentOf(built), built.stderr).toMatchObject({ ok: true, problems: [] });
});
afterAll(async () => {
  await penstock.run(["stop", dir]);
  await penstock.cleanUp();
});

const run = async (env: Record<string, string>): Promise<void> => {
  await penstock.run(["stop", dir]);
  expect(await penstock.run(["run", dir, "--detach", "--quiet"], { env })).toMatchObject({ code: 0 });
};
const load = async (...options: string[]): Promise<LoadReport> => {
  const ended = await penstock.run(["load", dir, ...options, "--tolerance", "20", "--json"]);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  return documentOf(ended) as unknown as LoadReport;
};

interface ExperimentRow {
  experiment: number;
  application: string;
  mode: string;
  attempt: number;
  throughput?: number;
  p50Ms?: number;
  p99Ms?: number;
  residentMiB?: number[];
  lost: number;
  repeated: number;
}

test("the experiments lose nothing and repeat nothing, by hand or not, whatever joins come and go", () => {
  const file = path.join(penstock.folder, "rows.json");
  const options = [
    "--quick",
    "--only",
    "mo-flow",
    "--attempts",
    "1",
    "--in",
    penstock.folder,
    "--json",
    file,
  ];
  const ended = spawnSync(process.execPath, [path.join(REPOSITORY, "scripts/experiments.mjs"), ...options], {
    encoding: "utf8",
  });
  expect(ended.status, ended.stderr).toBe(0);
  const rows = JSON.parse(readFileSync(file, "utf8")) as ExperimentRow[];
  expect(rows.map(({ experiment, mode }) => [experiment, mode])).toEqual([
    [1, "by-hand"],
    [1, "sampling-off"],
    [1, "sampling-on"],
    // A join put in and taken out, at two loads.
    ...Array.from({ length: 4 }, () => [2, "sampling-on"]),
    // The memory before, in and after an overload.
    [3, "by-hand"],
    [3, "sampling-on"],
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ application: "mo-flow", attempt: 1, lost: 0, repeated: 0 });
    if (row.experiment === 3) {
      expect(Math.min(...row.residentMiB!)).toBeGreaterThan(0);
      continue;
    }
    // 100 ms for the application and 10 for the database, as the experiments have them.
    expect(row.p50Ms).toBeGreaterThan(110);
    expect(row.p99Ms).toBeGreaterThanOrEqual(row.p50Ms!);
    expect(row.throughput).toBeGreaterThan(0);
  }
});

test("one connection to the database is the bottleneck, whatever the threads that ask", async () => {
  await run({ MO_FLOW_CONNECTIONS: "1" });
  const options = ["--start", "200", "--step", "100", "--period", "2", "--recovery", "4"];
  const report = await load(...options);
  expect(report.outcome).toBe("broke");
  // 2 ms a query: never more than 500 a second.
  expect(report.heldPerSecond).toBeLessThanOrEqual(500);
  expect(Math.max(...report.seconds.map(({ completed }) => completed))).toBeLessThan(530);
  expect(report.seconds.at(-1)?.queued).toBeGreaterThan(50);
});
