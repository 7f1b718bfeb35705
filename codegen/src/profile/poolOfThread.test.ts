import { expect, test } from "vitest";
import { poolOfThread } from "./poolOfThread.js";

const named = (...names: string[]) => names.map((name) => ({ name }));
/** Threads as the runtime names those of a pool of so many. */
const threads = (cut: (digits: number) => string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${cut(String(at).length)}-${at}`);
const line = threads((digits) => "production-line".slice(0, 14 - digits), 120);

test("threads of a pool are one, however much of its name each of them says", () => {
  const pools = named("front", "production-line", "models", "Impressions.score");
  expect(line.every((thread) => thread.length <= 15)).toBe(true);
  expect(new Set(line.map((thread) => poolOfThread(thread, pools)))).toEqual(new Set(["production-line"]));
  expect(poolOfThread("models-17", pools)).toBe("models");
  expect(poolOfThread("Impressions.s-3", pools)).toBe("Impressions.score");
});

test("what is no thread of a known pool has its own name, without a number", () => {
  const pools = named("production-line");
  expect(
    ["ps-src-0", "watchdog", "models-17", "production-l-7"].map((name) => poolOfThread(name, pools)),
  ).toEqual(["ps-src", "watchdog", "models", "production-l"]);
});

test("threads that may be of several pools name them all, unless one of these alone has such a thread", () => {
  const [long, other] = ["production-line-a", "production-lost"];
  const both = named(long, other);
  expect(poolOfThread("production-li-3", both)).toBe(long);
  expect(poolOfThread("production-lo-3", both)).toBe(other);
  expect(poolOfThread("production-l-12", both)).toBe(`${long} or ${other}`);
  const listed = [
    { name: long, threads: line.slice(0, 20) },
    { name: other, threads: threads(() => "production-lo", 4) },
  ];
  expect(poolOfThread("production-l-12", listed)).toBe(long);
  // One that had more threads when it was recorded.
  expect(poolOfThread("production-l-30", listed)).toBe(`${long} or ${other}`);
  expect(poolOfThread("production-l-12", [listed[0]!, { name: other }])).toBe(`${long} or ${other}`);
});
