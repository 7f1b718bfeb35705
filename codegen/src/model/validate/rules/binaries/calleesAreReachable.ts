import { quote } from "../../../diagnostics/index.js";
import { servingFixes } from "../../fix.js";
import { reachOf } from "../../reach.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule.js";
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
  PS621: {
    severity: "error",
    title: "Callee out of reach",
    explanation: "Only other binaries serve the service called, and none of them has a `listen` address.",
    help: "Give one of them a `listen` address, or put the service into a bundle of the calling binary.",
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
  PS623: {
    severity: "error",
    title: "Stage out of reach",
    explanation:
      "Only other binaries serve the service of the stage, and none of them has a `listen` address.",
    help: "Give one of them a `listen` address, or put the service into a bundle of the binary that serves the flow.",
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
});

function checkReach(
  { index, report }: Context,
  [nowhere, deaf]: readonly [Code, Code],
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
    code: "PS621",
    title: "a callee behind a binary that does not listen",
    spoil: ({ bundle, binary, document }) => {
      bundle.services = ["GetAd", "LogAd", "CountError"];
      delete binary.placement!["ProduceAd"];
      document.bundles!.push({ name: "Models", services: ["ProduceAd"] });
      document.binaries!.push({ name: "models", bundles: ["Models"] });
    },
    pointer: "/services/0/calls/0",
  },
  {
    code: "PS622",
    title: "a stage that no binary serves",
    spoil: ({ bundle }) => void (bundle.services = ["GetAd", "ProduceAd", "CountError"]),
    pointer: "/flows/0/stages/1",
    node: "stage:Impressions/log",
  },
  {
    code: "PS623",
    title: "a stage behind a binary that does not listen",
    spoil: ({ bundle, document }) => {
      bundle.services = ["GetAd", "ProduceAd", "CountError"];
      document.bundles!.push({ name: "Logs", services: ["LogAd"] });
      document.binaries!.push({ name: "logs", bundles: ["Logs"] });
    },
    pointer: "/flows/0/stages/1",
  },
];
