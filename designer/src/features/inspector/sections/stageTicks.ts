import {
  canConnectFlow,
  decidingField,
  flowValues,
  indexTopology,
  predecessorsOf,
  type Flow,
  type Topology,
} from "@penstock/codegen/topology";

/** One of several names that can be chosen together. */
export interface Tick {
  name: string;
  ticked: boolean;
  /** Why it should not be ticked, for one that is. */
  fault: string | undefined;
}

/**
 * For which values the branch of a stage may be taken: those of the enum that decides behind the stages
 * before it. A value that is named and none of them stays to be seen; the source decides nothing, and a
 * catch takes failures, whatever was decided before them.
 */
export function branchTicks(topology: Topology, flow: Flow, id: string): Tick[] {
  const at = flow.stages.findIndex((stage) => stage.id === id);
  const stage = flow.stages[at];
  const named = typeof stage?.when === "string" ? [stage.when] : (stage?.when ?? []);
  const values = stage?.role === "catch" ? [] : decidingValues(topology, flow, at);
  return [
    ...values.map((name): Tick => ({ name, ticked: named.includes(name), fault: undefined })),
    ...[...new Set(named)]
      .filter((name) => !values.includes(name))
      .map((name): Tick => ({ name, ticked: true, fault: "not possible" })),
  ];
}

function decidingValues(topology: Topology, flow: Flow, at: number): string[] {
  if (!predecessorsOf(flow)[at]?.length) return [];
  const index = indexTopology(topology);
  const message = flowValues(flow, index)[at]?.arrives.find((value) => value !== undefined);
  const field = message === undefined ? undefined : decidingField(index, message);
  const values = field && index.enums.get(field.type)?.item.values;
  return values?.map(({ name }) => name) ?? [];
}

/**
 * The stages that a stage may follow: those before it in the list, so that nothing runs in a circle, which
 * give what it takes. One that it follows and may not stays to be seen; without any it follows the source.
 */
export function followTicks(topology: Topology, flow: Flow, id: string): Tick[] {
  const at = flow.stages.findIndex((stage) => stage.id === id);
  const followed =
    flow.stages[at]?.after ?? flow.stages.slice(Math.max(0, at - 1), at).map((stage) => stage.id);
  const earlier = flow.stages.slice(0, Math.max(0, at)).map((stage) => stage.id);
  const ticks = [...new Set([...earlier, ...followed])].map((name): Tick => ({
    name,
    ticked: followed.includes(name),
    fault: canConnectFlow(topology, flow.name, name, id) ? "not possible" : undefined,
  }));
  return ticks.filter(({ ticked, fault }) => ticked || fault === undefined);
}
