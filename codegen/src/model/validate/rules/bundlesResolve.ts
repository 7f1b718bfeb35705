import { quote, type ProblemCode } from "../../diagnostics/index.js";
import type { Place, Rule, RuleContext } from "../rule.js";

/** Bundles hold services and flows that exist, binaries serve bundles that exist, each named once. */
export const bundlesResolve: Rule = {
  name: "bundlesResolve",
  codes: ["PS610", "PS611", "PS612", "PS613"],
  check(context) {
    const { topology, index } = context;
    for (const [at, { name, services, flows }] of topology.bundles.entries()) {
      const owner = `The bundle ${quote(name)}`;
      checkList(context, "PS611", ["bundles", at, "services"], owner, "service", services, index.services);
      checkList(context, "PS612", ["bundles", at, "flows"], owner, "flow", flows, index.flows);
    }
    for (const [at, { name, bundles }] of topology.binaries.entries())
      checkList(
        context,
        "PS610",
        ["binaries", at, "bundles"],
        `The binary ${quote(name)}`,
        "bundle",
        bundles,
        index.bundles,
      );
  },
};

function checkList(
  { report, didYouMean }: RuleContext,
  unknown: ProblemCode,
  place: Place,
  owner: string,
  what: string,
  names: readonly string[],
  known: ReadonlyMap<string, unknown>,
): void {
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (!known.has(name))
      report(
        unknown,
        [...place, at],
        `${owner} names the ${what} ${quote(name)}, which does not exist`,
        didYouMean(name, known.keys()),
      );
    else if (seen.has(name))
      report("PS613", [...place, at], `${owner} names the ${what} ${quote(name)} twice`);
    seen.add(name);
  }
}
