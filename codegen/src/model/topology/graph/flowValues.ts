import { FAILURE, SOURCE_INPUT } from "../schema/builtIn.js";
import type { Flow, Stage, Topology } from "../schema/schema.js";
import { indexTopology, type TopologyIndex } from "./indexTopology.js";

/**
 * Indexes of the stages before each stage of a flow, in O(links). An empty list is the source: the
 * first stage, and any whose `after` names nothing usable (a check reports that).
 */
export function predecessorsOf(flow: Flow): number[][] {
  const at = new Map<string, number>();
  return flow.stages.map((stage, index) => {
    const before =
      stage.after === undefined
        ? index === 0
          ? []
          : [index - 1]
        : [...new Set(stage.after)].flatMap((id) => at.get(id) ?? []);
    if (!at.has(stage.id)) at.set(stage.id, index);
    return before;
  });
}

/** What passes through one stage; a message name, or undefined where nothing is known or left. */
export interface StageValues {
  /** Values that arrive, one for each predecessor (several may differ: a mistake). */
  arrives: readonly (string | undefined)[];
  /** What the service is asked with: the value that arrives, for a `catch` the failure. */
  input: string | undefined;
  /** What goes on behind the stage. */
  output: string | undefined;
  /** True when it is certain that nothing goes on (and not merely unknown what). */
  ended: boolean;
}

/**
 * The values along a flow, stage by stage, in O(links): a `map` gives its response, a `side-effect`
 * passes on what it sees, a `catch` lets values pass and answers failures with a value of the same kind.
 */
export function flowValues(flow: Flow, index: TopologyIndex): StageValues[] {
  const before = predecessorsOf(flow);
  const values: StageValues[] = [];
  flow.stages.forEach((stage, at) => {
    const from = before[at] ?? [];
    const arrives =
      from.length > 0
        ? from.map((previous) => values[previous]?.output)
        : [stage.after === undefined ? flow.event : undefined];
    const nothing = from.length > 0 && from.every((previous) => values[previous]?.ended === true);
    values.push({ arrives, ...through(stage, arrives, nothing, index) });
  });
  return values;
}

function through(
  stage: Stage,
  arrives: readonly (string | undefined)[],
  nothing: boolean,
  index: TopologyIndex,
): Omit<StageValues, "arrives"> {
  const passing = arrives.find((value) => value !== undefined);
  const service = index.services.get(stage.service)?.item;
  const response = service?.response;
  const silent = service !== undefined && response === undefined;
  if (stage.role === "side-effect") return { input: passing, output: passing, ended: nothing };
  if (stage.role === "map") return { input: passing, output: response, ended: silent };
  return { input: FAILURE, output: passing ?? response, ended: nothing && silent };
}

/** The message that goes on behind a stage (`SOURCE_INPUT`: the source); undefined when none does. */
export function stageOutputType(topology: Topology, flowName: string, stage: string): string | undefined {
  const flow = topology.flows.find(({ name }) => name === flowName);
  if (flow === undefined || stage === SOURCE_INPUT) return flow?.event;
  return flowValues(flow, indexTopology(topology))[flow.stages.findIndex(({ id }) => id === stage)]?.output;
}
