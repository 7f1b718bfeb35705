import { quote } from "../../diagnostics/index.js";
import { LONGEST_WATCH_MS } from "../../topology/index.js";
import type { Rule } from "../rule.js";

const LONGEST_MS = 2 ** 31 - 1;

/** A deadline is 1 to 2147483647 milliseconds, the watchdog's limit 0 to an hour. */
export const deadlinesAreInRange: Rule = {
  name: "deadlinesAreInRange",
  codes: ["PS306", "PS517"],
  check({ topology, report }) {
    for (const [at, { name, deadlineMs }] of topology.services.entries())
      if (deadlineMs !== undefined && (deadlineMs < 1 || deadlineMs > LONGEST_MS))
        report(
          "PS306",
          ["services", at, "deadlineMs"],
          `The deadline of ${quote(name)} is ${deadlineMs} ms, not 1 to ${LONGEST_MS}`,
        );
    for (const [at, { name, watchdogMs }] of topology.binaries.entries())
      if (watchdogMs !== undefined && (watchdogMs < 0 || watchdogMs > LONGEST_WATCH_MS))
        report(
          "PS517",
          ["binaries", at, "watchdogMs"],
          `The watchdog of ${quote(name)} has a limit of ${watchdogMs} ms, not 0 to ${LONGEST_WATCH_MS}`,
        );
  },
};
