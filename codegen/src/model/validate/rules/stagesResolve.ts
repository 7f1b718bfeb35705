import { quote } from "../../diagnostics/index.js";
import type { Rule } from "../rule.js";

/** A flow has a stage at least, and every stage is held by a service that exists. */
export const stagesResolve: Rule = {
  name: "stagesResolve",
  codes: ["PS402", "PS403"],
  check({ topology, index, report, didYouMean }) {
    for (const [at, flow] of topology.flows.entries()) {
      if (flow.stages.length === 0)
        report("PS402", ["flows", at], `The flow ${quote(flow.name)} has no stage`);
      for (const [inner, { id, service }] of flow.stages.entries())
        if (!index.services.has(service))
          report(
            "PS403",
            ["flows", at, "stages", inner, "service"],
            `The stage ${quote(id)} of ${quote(flow.name)} is held by ${quote(service)}, which does not exist`,
            didYouMean(service, index.services.keys()),
          );
    }
  },
};
