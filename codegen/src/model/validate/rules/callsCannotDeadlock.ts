import { blockingCycles, cycleMessage } from "../../topology/index.js";
import type { Rule } from "../rule.js";

/** No `sync-remote` and no `single-threaded` service is on a cycle of calls. */
export const callsCannotDeadlock: Rule = {
  name: "callsCannotDeadlock",
  codes: ["PS305"],
  check({ topology, report }) {
    for (const cycle of blockingCycles(topology))
      report("PS305", ["services", cycle.at, "calls", cycle.call], cycleMessage(topology, cycle));
  },
};
