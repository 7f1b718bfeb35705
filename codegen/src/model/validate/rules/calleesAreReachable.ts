import { quote, type ProblemCode } from "../../diagnostics/index.js";
import { reachOf } from "../reach.js";
import type { Place, Rule, RuleContext } from "../rule.js";

/**
 * What a binary asks for can be reached from it: every callee of its services, every stage of its flows.
 * An error once a binary serves the one who asks, a warning while drawing.
 */
export const calleesAreReachable: Rule = {
  name: "calleesAreReachable",
  codes: ["PS620", "PS621", "PS622", "PS623"],
  check(context) {
    const { topology, index } = context;
    for (const [at, { name, calls }] of topology.services.entries()) {
      const serving = index.binariesOfService.get(name) ?? [];
      for (const [inner, callee] of calls.entries())
        if (index.services.has(callee)) {
          const asks = (): string => `${quote(name)} calls ${quote(callee)}`;
          checkReach(context, ["PS620", "PS621"], ["services", at, "calls", inner], serving, callee, asks);
        }
    }
    for (const [at, { name, stages }] of topology.flows.entries()) {
      const serving = index.binariesOfFlow.get(name) ?? [];
      for (const [inner, { id, service }] of stages.entries())
        if (index.services.has(service)) {
          const asks = (): string => `The stage ${quote(id)} of ${quote(name)} needs ${quote(service)}`;
          checkReach(context, ["PS622", "PS623"], ["flows", at, "stages", inner], serving, service, asks);
        }
    }
  },
};

function checkReach(
  { index, report }: RuleContext,
  [nowhere, deaf]: readonly [ProblemCode, ProblemCode],
  place: Place,
  serving: readonly string[],
  service: string,
  asks: () => string,
): void {
  // Lists are shared by members of the same bundles: then every binary that asks serves the answer, too.
  if (serving.length > 0 && serving === index.binariesOfService.get(service)) return;
  const from: readonly (string | undefined)[] = serving.length === 0 ? [undefined] : serving;
  for (const binary of from) {
    const reach = reachOf(index, binary, service);
    const details = binary === undefined ? { severity: "warning" as const } : {};
    const where = binary === undefined ? "" : ` (in ${quote(binary)})`;
    if (reach === "nowhere") {
      report(nowhere, place, `${asks()}${where}, which no binary serves`, details);
      return;
    }
    if (reach === "deaf") {
      const others = index.binariesOfService.get(service) ?? [];
      const [first = ""] = others;
      const served =
        others.length > 1
          ? `${quote(first)} and ${others.length - 1} more serve it, none with a listen address`
          : `only ${quote(first)} serves it, which has no listen address`;
      report(deaf, place, `${asks()}${where}; ${served}`, details);
      return;
    }
  }
}
