import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AskedCall } from "../../contract/index.js";
import { keepTriedCall, readTriedCalls } from "./triedCalls.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "penstock-tried-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const call = (at: number): AskedCall => [at === 0 ? null : 0, "GetAd", "", "front·0", at, 1, null, 0];

test("keeps the way of a call with its answer, and of a long one the beginning", async () => {
  const trace = Array.from({ length: 60 }, (_, at) => call(at));
  const keep = (service: string, end: { answer: unknown } | { error: { code: string; message: string } }) =>
    keepTriedCall(folder, "p", service, { at: 1, request: "{}", end: { tookMs: 1, trace, ...end } });
  await keep("GetAd", { answer: { score: 1 } });
  await keep("Long", { answer: "x".repeat(20_000) });
  await keep("Failed", { error: { code: "not_found", message: "" } });
  await keepTriedCall(folder, "p", "Old", { at: 1, request: "{}", end: { tookMs: 1, answer: {} } });
  const kept = await readTriedCalls(folder, "p");
  const way = trace.slice(0, 40);
  expect(kept["GetAd"]?.[0]?.end).toEqual({ tookMs: 1, trace: way, answer: { score: 1 } });
  expect(kept["Long"]?.[0]?.end).toEqual({ tookMs: 1, trace: way, answer: "(too long to be kept)" });
  expect(kept["Failed"]?.[0]?.end).toMatchObject({ trace: way, error: { code: "not_found" } });
  expect(kept["Old"]?.[0]?.end).toEqual({ tookMs: 1, answer: {} });
});
