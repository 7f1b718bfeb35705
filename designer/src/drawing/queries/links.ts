import { type Flow, predecessorsOf } from "@penstock/codegen/topology";

/** One flow edge: from the source (undefined) or a stage into a stage. */
export interface FlowLink {
  from: string | undefined;
  to: string;
  catches: boolean;
}

/**
 * What a stage is drawn behind. A catch stands for everything before it and is drawn at the last
 * stage whose value it guards (neither side effect nor catch); the stage behind a catch is drawn
 * behind what the catch guards, since the value passes it by, and behind the catch too when that
 * gives a value to go on with.
 */
export function flowLinks(flow: Flow, gives: (service: string) => boolean): FlowLink[] {
  const before = predecessorsOf(flow);

  const passing = (index: number): number | undefined => {
    let at: number | undefined = index;
    while (at !== undefined && flow.stages[at]?.role === "catch") at = before[at]?.[0];
    return at;
  };
  const guarded = (index: number): number | undefined => {
    let at: number | undefined = index;
    while (at !== undefined && flow.stages[at]?.role !== "map") at = before[at]?.[0];
    return at;
  };
  const idOf = (index: number | undefined) => (index === undefined ? undefined : flow.stages[index]?.id);

  return flow.stages.flatMap((stage, index): FlowLink[] => {
    const catches = stage.role === "catch";
    const from = before[index] ?? [];
    if (from.length === 0) return [{ from: undefined, to: stage.id, catches }];
    const drawn = from.flatMap((at): (string | undefined)[] => {
      if (catches) return [idOf(guarded(at))];
      const catcher = flow.stages[at];
      const rescued = catcher?.role === "catch" && gives(catcher.service) ? [catcher.id] : [];
      return [idOf(passing(at)), ...rescued];
    });
    return [...new Set(drawn)].map((id) => ({ from: id, to: stage.id, catches }));
  });
}
