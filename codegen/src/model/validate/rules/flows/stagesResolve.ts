import { quote } from "../../../diagnostics/index.js";
import type { Topology } from "../../../topology/index.js";
import type { Fix } from "../../rule/fix.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS402: {
    severity: "error",
    title: "Flow without stages",
    explanation: "A flow has at least one stage: somebody has to take what its source makes.",
    help: "Draw a line from its source to a service that takes its events.",
    fixes: emptyFlowFixes,
  },
  PS403: {
    severity: "error",
    title: "Stage of an unknown service",
    explanation: "A stage is held by a service of this topology.",
    help: "Correct the name, or add the service.",
  },
} satisfies Codes;

/** A flow has a stage at least, and every stage is held by a service that exists. */
export const stagesResolve = rule({
  name: "stagesResolve",
  codes: CODES,
  check({ topology, index, report, didYouMean }) {
    for (const [at, flow] of topology.flows.entries()) {
      if (flow.stages.length === 0)
        report("PS402", ["flows", at], `The flow ${quote(flow.name)} has no stage yet`);
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
});

/** A service that takes its event may follow, or a new one; or the flow goes. */
function emptyFlowFixes({ flows, services }: Topology, [, at]: readonly string[]): Fix[] {
  const flow = flows[Number(at)];
  if (flow === undefined || flow.stages.length > 0) return [];
  const taker = services.find(({ request }) => request === flow.event);
  const role = taker?.response === undefined ? "side-effect" : "map";
  const lead: Fix = taker
    ? { does: "append stage", flow: flow.name, service: taker.name, role }
    : { does: "new stage", flow: flow.name };
  return [lead, { does: "remove flow", flow: flow.name }];
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS402",
    title: "a flow without stages",
    spoil: ({ flow }) => void (flow.stages = []),
    pointer: "/flows/0",
  },
  {
    code: "PS403",
    title: "row 65: a stage of no service",
    spoil: ({ log }) => void (log.service = "LogAds"),
    pointer: "/flows/0/stages/1/service",
    node: "stage:Impressions/log",
    help: 'Did you mean "LogAd"?',
  },
];
