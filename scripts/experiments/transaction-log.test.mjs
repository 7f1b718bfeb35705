import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { latency, lostAndRepeated, perSecond, readLog, throughput } from "./transaction-log.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "penstock-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

const logOf = (lines) => {
  const file = path.join(folder, "transactions.log");
  writeFileSync(file, lines.map((line) => `${line.join(" ")}\n`).join(""));
  return readLog(file);
};

test("should read number, beginning and end of lines, whatever is between, in the order of their ends", () => {
  expect(
    logOf([
      [3, 200, 1, 1000, 90],
      [4, 1010, 20],
    ]),
  ).toEqual([
    { number: 4, receivedUs: 1010, tookUs: 20, endedUs: 1030 },
    { number: 3, receivedUs: 1000, tookUs: 90, endedUs: 1090 },
  ]);
});

test("should count what is missing, at the end too, and what is there again", () => {
  const lines = logOf([
    [0, 1, 1],
    [2, 1, 1],
    [2, 2, 1],
    [3, 1, 1],
  ]);
  expect(lostAndRepeated(lines, 4)).toEqual({ lost: 1, repeated: 1 });
  expect(lostAndRepeated(lines, 6)).toEqual({ lost: 3, repeated: 1 });
  expect(lostAndRepeated(lines, 6, 2)).toEqual({ lost: 1, repeated: 1 });
});

test("should find the rate of events that end in bursts, wherever the window begins", () => {
  // 20 at once every 10 ms: 2,000 a second.
  const lines = logOf(Array.from({ length: 6000 }, (_, k) => [k, 0, Math.floor(k / 20) * 10_000 + (k % 20)]));
  for (const from of [100_000, 100_005, 104_000, 109_999])
    expect(throughput(lines, from, from + 1_500_000)).toBeCloseTo(2000, -1);
  expect(perSecond(lines, 0, 2)).toEqual([2000, 2000]);
});

test("should take latencies of what came within the window", () => {
  const lines = logOf(Array.from({ length: 100 }, (_, k) => [k, k, (k + 1) * 1000]));
  expect(latency(lines, 0, 100)).toEqual({ p50Ms: 51, p99Ms: 100 });
  expect(latency(lines, 0, 10).p99Ms).toBe(10);
});
