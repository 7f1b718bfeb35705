import { quote } from "../../../diagnostics/index.js";
import { LONGEST_DEADLINE_MS, LONGEST_WATCH_MS } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS306: {
    severity: "error",
    title: "Deadline out of range",
    explanation: `A deadline is 1 to ${LONGEST_DEADLINE_MS} milliseconds.`,
    help: "Use a deadline in that range, or leave it out for none.",
  },
  PS517: {
    severity: "error",
    title: "Watchdog limit out of range",
    explanation: `\`watchdogMs\` is 0 (no handler is reported) to ${LONGEST_WATCH_MS} milliseconds.`,
    help: "Use a limit in that range, or leave it out for 5000.",
  },
} satisfies Codes;

/** Deadlines, and the watchdog's limit 0 to an hour. */
export const deadlinesAreInRange = rule({
  name: "deadlinesAreInRange",
  codes: CODES,
  check({ topology, report }) {
    for (const [at, { name, deadlineMs }] of topology.services.entries())
      if (deadlineMs !== undefined && (deadlineMs < 1 || deadlineMs > LONGEST_DEADLINE_MS))
        report(
          "PS306",
          ["services", at, "deadlineMs"],
          `The deadline of ${quote(name)} is ${deadlineMs} ms, not 1 to ${LONGEST_DEADLINE_MS}`,
        );
    for (const [at, { name, watchdogMs }] of topology.binaries.entries())
      if (watchdogMs !== undefined && (watchdogMs < 0 || watchdogMs > LONGEST_WATCH_MS))
        report(
          "PS517",
          ["binaries", at, "watchdogMs"],
          `The watchdog of ${quote(name)} has a limit of ${watchdogMs} ms, not 0 to ${LONGEST_WATCH_MS}`,
        );
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS306",
    title: "a deadline of 0",
    spoil: ({ getAd }) => void (getAd.deadlineMs = 0),
    pointer: "/services/0/deadlineMs",
  },
  {
    code: "PS306",
    title: "a deadline beyond 2^31-1",
    spoil: ({ getAd }) => void (getAd.deadlineMs = 2 ** 31),
    pointer: "/services/0/deadlineMs",
  },
  {
    code: "PS517",
    title: "a watchdog of more than an hour",
    spoil: ({ binary }) => void (binary.watchdogMs = 3_600_001),
    pointer: "/binaries/0/watchdogMs",
  },
];
