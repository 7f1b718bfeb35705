import { pointerOf, quote, quoteWay, type Problem } from "../../diagnostics/index.js";
import { FAILURE, SOURCE_INPUT } from "../schema/builtIn.js";
import { nodeRef } from "../places/nodeRef.js";
import type { StageRole, Topology } from "../schema/schema.js";
import { blockingCycles } from "./callCycles.js";
import { stageOutputType } from "./flowValues.js";
import { indexTopology } from "./indexTopology.js";

/** Why something may not be drawn, in the words and with the code of the rule that would say so afterwards. */
export type Refusal = Pick<Problem, "code" | "pointer" | "message" | "node">;
const refusal = (code: string, pointer: string, message: string, at: { node?: string } = {}): Refusal => ({
  code,
  pointer,
  message,
  ...at,
});

/**
 * Why `from` may not be drawn to call `to`, or undefined when it may: the same codes as the checks,
 * so that the canvas refuses at once what validation would refuse later. O(services + calls).
 */
export function canConnectCall(topology: Topology, from: string, to: string): Refusal | undefined {
  const at = topology.services.findIndex(({ name }) => name === from);
  const caller = topology.services[at];
  if (caller === undefined) return refusal("PS303", "", `There is no service ${quote(from)}`);
  const pointer = pointerOf("services", at, "calls", caller.calls.length);
  const node = nodeRef("service", from);
  if (!topology.services.some(({ name }) => name === to))
    return refusal("PS303", pointer, `There is no service ${quote(to)}`, { node });
  if (caller.calls.includes(to))
    return refusal("PS304", pointer, `${quote(from)} already calls ${quote(to)}`, { node });
  const services = topology.services.with(at, { ...caller, calls: [...caller.calls, to] });
  const known = new Set(blockingCycles(topology).map(({ service }) => service));
  const closed = blockingCycles({ ...topology, services }).find(({ service }) => !known.has(service));
  return closed && refusal("PS305", pointer, cycleMessage({ ...topology, services }, closed), { node });
}

/** The services that `from` may be drawn to call, as canConnectCall() says of each, in list order. O(services + calls), as a rule. */
export function possibleCallees(topology: Topology, from: string): string[] {
  const own = topology.services.find(({ name }) => name === from)?.calls;
  if (own === undefined) return [];
  const { callers } = indexTopology(topology);
  // Nobody else can close a circle. A set is walked in the order of its entries, those added on the way among them.
  const leads = new Set([from]);
  for (const name of leads) for (const caller of callers.get(name) ?? []) leads.add(caller);
  const called = new Set(own);
  return topology.services
    .map(({ name }) => name)
    .filter((name) => !called.has(name) && (!leads.has(name) || !canConnectCall(topology, from, name)));
}

/** One sentence about a cycle of calls that can deadlock, with the way round. */
export function cycleMessage(
  topology: Topology,
  cycle: { service: string; path: readonly string[] },
): string {
  const blocks = topology.services.some(({ name, kind }) => name === cycle.service && kind === "sync-remote");
  const way = quoteWay(cycle.path);
  return blocks
    ? `${quote(cycle.service)} is sync-remote and would block its thread while it waits for itself: ${way}`
    : `${quote(cycle.service)} is single-threaded and would wait for itself: ${way}`;
}

/**
 * Why stage `to` may not follow stage `from` of the same flow (`""`: its source), or undefined when it
 * may. What else is wrong with either of them does not matter here. O(services + links).
 */
export function canConnectFlow(
  topology: Topology,
  flowName: string,
  from: string,
  to: string,
): Refusal | undefined {
  const flowAt = topology.flows.findIndex(({ name }) => name === flowName);
  const flow = topology.flows[flowAt];
  const toAt = flow?.stages.findIndex(({ id }) => id === to) ?? -1;
  const stage = flow?.stages[toAt];
  if (flow === undefined || stage === undefined)
    return refusal("PS410", "", `The flow ${quote(flowName)} has no stage ${quote(to)}`);
  const pointer = pointerOf("flows", flowAt, "stages", toAt);
  const node = nodeRef("stage", flowName, to);
  const fromAt = flow.stages.findIndex(({ id }) => id === from);
  if (from !== SOURCE_INPUT && fromAt < 0)
    return refusal("PS410", pointer, `The flow ${quote(flowName)} has no stage ${quote(from)}`, { node });
  if (from !== SOURCE_INPUT && fromAt >= toAt)
    return refusal("PS411", pointer, `${quote(to)} stands before ${quote(from)} and cannot follow it`, {
      node,
    });
  const refused = canFollow(topology, flowName, from, stage.service, stage.role);
  return refused && { ...refused, pointer, node };
}

/**
 * Why `service` in `role` may not be put behind stage `from` of a flow (`""`: its source), or undefined
 * when it may: what a palette asks while something is dragged. O(services + links).
 */
export function canFollow(
  topology: Topology,
  flow: string,
  from: string,
  serviceName: string,
  role: StageRole,
): Refusal | undefined {
  const service = topology.services.find(({ name }) => name === serviceName);
  if (service === undefined) return refusal("PS403", "", `There is no service ${quote(serviceName)}`);
  const value = stageOutputType(topology, flow, from);
  if (role === "catch") {
    if (from === SOURCE_INPUT) return refusal("PS408", "", "No stage stands before this catch");
    if (service.request !== FAILURE)
      return refusal(
        "PS406",
        "",
        `${quote(serviceName)} takes ${quote(service.request)}, not ${quote(FAILURE)}`,
      );
    if (service.response === undefined || value === undefined || service.response === value) return undefined;
    return refusal(
      "PS407",
      "",
      `${quote(serviceName)} gives ${quote(service.response)}, but ${quote(value)} passes here`,
    );
  }
  if (value === undefined)
    return refusal("PS405", "", `Nothing goes on behind ${quote(from)}: only a catch may follow`);
  if (service.request === value) return undefined;
  return refusal(
    "PS404",
    "",
    `${quote(serviceName)} takes ${quote(service.request)}, but ${quote(value)} arrives`,
  );
}
