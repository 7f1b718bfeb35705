import { blockingCycles, cycleMessage } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS305: {
    severity: "error",
    title: "Cycle that can deadlock",
    explanation:
      "Calls may form a cycle only where no service on it is `sync-remote` (it blocks its thread while it waits) or `single-threaded` (it would wait for itself).",
    help: "Remove a call of the cycle, or make the service named `async-remote` or `simple`.",
  },
} satisfies Codes;

/** No `sync-remote` and no `single-threaded` service is on a cycle of calls. */
export const callsCannotDeadlock = rule({
  name: "callsCannotDeadlock",
  codes: CODES,
  check({ topology, report }) {
    for (const cycle of blockingCycles(topology))
      report("PS305", ["services", cycle.at, "calls", cycle.call], cycleMessage(topology, cycle));
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS305",
    title: "row 63: a cycle through a sync-remote service",
    spoil: ({ produceAd }) => void (produceAd.calls = ["GetAd"]),
    pointer: "/services/1/calls/0",
    node: "service:ProduceAd",
  },
  {
    code: "PS305",
    title: "row 63: a single-threaded service that calls itself",
    spoil: ({ logAd }) => void (logAd.calls = ["LogAd"]),
    pointer: "/services/2/calls/0",
    node: "service:LogAd",
  },
];
