import { quote } from "../../../diagnostics/index.js";
import { servingFixes } from "../../rule/fix.js";
import { reachOf } from "../../rule/reach.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS620: {
    severity: "error",
    title: "Callee served nowhere",
    explanation:
      "A binary serves the caller, but none serves the service it calls (or, while the caller is served nowhere either, a warning).",
    help: "Put the service into a bundle of a binary.",
    fixes: (topology, [, at, , inner]) =>
      servingFixes(topology, topology.services[Number(at)]?.calls[Number(inner)]),
  },
  PS622: {
    severity: "error",
    title: "Stage served nowhere",
    explanation:
      "A binary serves the flow, but none serves the service of this stage (or, while the flow is served nowhere either, a warning).",
    help: "Put the service into a bundle of a binary.",
    fixes: (topology, [, at, , inner]) =>
      servingFixes(topology, topology.flows[Number(at)]?.stages[Number(inner)]?.service),
  },
} satisfies Codes;
type Code = keyof typeof CODES;
type Context = RuleContext<Code>;

/**
 * What a binary asks for can be reached from it: every callee of its services, every stage of its flows.
 * An error once a binary serves the one who asks, a warning while drawing.
 */
export const calleesAreReachable = rule({
  name: "calleesAreReachable",
  codes: CODES,
  check(context) {
    const { topology, index } = context;
    for (const [at, { name, calls }] of topology.services.entries()) {
      const serving = index.binariesOfService.get(name) ?? [];
      for (const [inner, callee] of calls.entries())
        if (index.services.has(callee)) {
          const asks = (): string => `${quote(name)} calls ${quote(callee)}`;
          checkReach(context, "PS620", ["services", at, "calls", inner], serving, callee, asks);
        }
    }
    for (const [at, { name, stages }] of topology.flows.entries()) {
      const serving = index.binariesOfFlow.get(name) ?? [];
      for (const [inner, { id, service }] of stages.entries())
        if (index.services.has(service)) {
          const asks = (): string => `The stage ${quote(id)} of ${quote(name)} needs ${quote(service)}`;
          checkReach(context, "PS622", ["flows", at, "stages", inner], serving, service, asks);
        }
    }
  },
});

function checkReach(
  { index, report }: Context,
  nowhere: Code,
  place: Place,
  serving: readonly string[],
  service: string,
  asks: () => string,
): void {
  // Lists are shared by members of the same bundles: then every binary that asks serves the answer, too.
  if (serving.length > 0 && serving === index.binariesOfService.get(service)) return;
  const from: readonly (string | undefined)[] = serving.length === 0 ? [undefined] : serving;
  for (const binary of from) {
    const details = binary === undefined ? { severity: "warning" as const } : {};
    const where = binary === undefined ? "" : ` (in ${quote(binary)})`;
    if (reachOf(index, binary, service) === "nowhere") {
      report(nowhere, place, `${asks()}${where}, which no binary serves`, details);
      return;
    }
  }
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS620",
    title: "a callee that no binary serves",
    spoil: ({ bundle, binary }) => {
      bundle.services = ["GetAd", "LogAd", "CountError"];
      delete binary.placement!["ProduceAd"];
    },
    pointer: "/services/0/calls/0",
    node: "service:GetAd",
  },
  {
    code: "PS620",
    title: "a callee that no binary serves, while drawing",
    severity: "warning",
    spoil: ({ document }) =>
      void document.services!.push({ name: "A", request: "Ad", calls: ["B"] }, { name: "B", request: "Ad" }),
    pointer: "/services/4/calls/0",
  },
  {
    code: "PS622",
    title: "a stage that no binary serves",
    spoil: ({ bundle }) => void (bundle.services = ["GetAd", "ProduceAd", "CountError"]),
    pointer: "/flows/0/stages/1",
    node: "stage:Impressions/log",
  },
];
