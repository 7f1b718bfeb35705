import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CATALOGUE } from "../../diagnostics/index.js";
import { STANDARD_SOURCES } from "../../sources/index.js";
import {
  DEFAULT_HOLD_S,
  DEFAULT_LIVENESS,
  DEFAULT_QUEUE,
  DEFAULT_WATCH_MS,
  FASTEST_RATE,
  FIRST_NICE,
  LAST_CPU,
  LARGEST_BODY,
  LAST_NICE,
  LONGEST_HOLD_S,
  LONGEST_QUEUE,
  LONGEST_SILENCE_MS,
  LONGEST_TIMEOUT_MS,
  LONGEST_WATCH_MS,
  MOST_THREADS,
  SHORTEST_SILENCE_MS,
} from "./limits.js";

const runtime = (file: string): string =>
  readFileSync(new URL(`../../../../../runtime-cpp/penstock/${file}`, import.meta.url), "utf8");

/** What a C++ header gives the names that `pattern` finds: `kMostThreads = 1'024;`. */
const numbers = (file: string, pattern: RegExp): [string, number][] =>
  [...runtime(file).matchAll(pattern)].map(([, name = "", digits = ""]) => [
    name,
    Number(digits.replaceAll("'", "")),
  ]);

test("a binary checks against the limits that a drawing is checked against", () => {
  const said = numbers("base/limits.hpp", /\b(k[A-Z]\w*) = (-?[\d']+);/g);
  expect(Object.fromEntries(said)).toEqual({
    kMostThreads: MOST_THREADS,
    kLastCpu: LAST_CPU,
    kFirstNice: FIRST_NICE,
    kLastNice: LAST_NICE,
    kLongestQueue: LONGEST_QUEUE,
    kFastestRate: FASTEST_RATE,
    kLongestTimeoutMs: LONGEST_TIMEOUT_MS,
    kLargestBody: LARGEST_BODY,
    kLongestHoldS: LONGEST_HOLD_S,
    kLongestWatchMs: LONGEST_WATCH_MS,
    kShortestSilenceMs: SHORTEST_SILENCE_MS,
    kLongestSilenceMs: LONGEST_SILENCE_MS,
  });
});

test.each([
  ["config/config.hpp", ["queue", "queue", "watchdog_ms", "for_seconds"]],
  ["control/host.hpp", ["queue"]],
  ["exec/policy.hpp", ["queue"]],
])("a binary that is told nothing takes the defaults of a drawing: %s", (file, names) => {
  const defaults = new Map([
    ["queue", DEFAULT_QUEUE],
    ["watchdog_ms", DEFAULT_WATCH_MS],
    ["for_seconds", DEFAULT_HOLD_S],
  ]);
  const said = numbers(file, /\b(queue|watchdog_ms|for_seconds) = ([\d']+);/g);
  expect(said.map(([name]) => name).sort()).toEqual([...names].sort());
  for (const [name, value] of said) expect(value, name).toBe(defaults.get(name));
});

test("a binary whose links nothing is said of has the liveness of a drawing", () => {
  const said = numbers("config/config.hpp", /\b(ping_ms|lost_ms|host_lost_ms) = ([\d']+);/g);
  const { pingMs, lostMs, hostLostMs } = DEFAULT_LIVENESS;
  expect(Object.fromEntries(said)).toEqual({ ping_ms: pingMs, lost_ms: lostMs, host_lost_ms: hostLostMs });
  const linked = numbers("net/link/link.hpp", /\b(silence|lost|host_lost) = ([\d']+);/g);
  expect(Object.fromEntries(linked)).toEqual({
    silence: pingMs * 1e6,
    lost: lostMs * 1e6,
    host_lost: hostLostMs * 1e6,
  });
});

test("what cannot import the limits says the same: the catalogue below, and the manifests of sources", () => {
  expect(CATALOGUE.PS501.explanation).toBe(`A pool has 1 to ${MOST_THREADS} threads.`);
  const rates = [...STANDARD_SOURCES.values()]
    .flatMap(({ settings }) => Object.values(settings.properties))
    .filter(({ format }) => format === "rate");
  expect(rates.length).toBeGreaterThan(0);
  for (const { maximum } of rates) expect(maximum).toBe(FASTEST_RATE);
  const { timeoutMs, maxBytes } = STANDARD_SOURCES.get("http")!.settings.properties;
  expect([timeoutMs!.maximum, maxBytes!.maximum]).toEqual([LONGEST_TIMEOUT_MS, LARGEST_BODY]);
});
