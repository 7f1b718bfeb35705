import { quote } from "../../diagnostics/index.js";
import type { Rule } from "../rule.js";

/** `after` names earlier stages of the same flow, one at least and each once. */
export const stageLinksResolve: Rule = {
  name: "stageLinksResolve",
  codes: ["PS410", "PS411", "PS412", "PS413"],
  check({ topology, report, didYouMean }) {
    for (const [at, flow] of topology.flows.entries()) {
      const position = new Map<string, number>();
      flow.stages.forEach(({ id }, inner) => {
        if (!position.has(id)) position.set(id, inner);
      });
      for (const [inner, { id, after }] of flow.stages.entries()) {
        if (after === undefined) continue;
        const place = ["flows", at, "stages", inner, "after"];
        const owner = `The stage ${quote(id)} of ${quote(flow.name)}`;
        if (after.length === 0) report("PS412", place, `${owner} has an empty list "after"`);
        const seen = new Set<string>();
        for (const [link, other] of after.entries()) {
          const before = position.get(other);
          if (before === undefined)
            report(
              "PS410",
              [...place, link],
              `${owner} comes after ${quote(other)}, which does not exist`,
              didYouMean(other, position.keys()),
            );
          else if (before >= inner)
            report(
              "PS411",
              [...place, link],
              `${owner} comes after ${before === inner ? "itself" : `${quote(other)}, which stands behind it`}`,
            );
          else if (seen.has(other))
            report("PS413", [...place, link], `${owner} comes after ${quote(other)} twice`);
          seen.add(other);
        }
      }
    }
  },
};
