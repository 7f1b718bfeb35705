import { quote } from "../../diagnostics/index.js";
import type { Rule } from "../rule.js";

/** Calls name existing services, each once. */
export const callsResolve: Rule = {
  name: "callsResolve",
  codes: ["PS303", "PS304"],
  check({ topology, index, report, didYouMean }) {
    for (const [at, { name, calls }] of topology.services.entries()) {
      const seen = new Set<string>();
      for (const [inner, callee] of calls.entries()) {
        const place = ["services", at, "calls", inner];
        if (!index.services.has(callee))
          report(
            "PS303",
            place,
            `${quote(name)} calls ${quote(callee)}, which does not exist`,
            didYouMean(callee, index.services.keys()),
          );
        else if (seen.has(callee)) report("PS304", place, `${quote(name)} calls ${quote(callee)} twice`);
        seen.add(callee);
      }
    }
  },
};
