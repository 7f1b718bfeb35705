import { flowsOf, ownPoolOf } from "@penstock/codegen/arrange";
import {
  placedOn,
  placeOfJoin,
  serves,
  stagesRunOn,
  threadName,
  type Binary,
  type Flow,
  type Stage,
  type StagePlace,
  type Topology,
} from "@penstock/codegen/topology";
import {
  binariesOf,
  servedElsewhere,
  servicesOf,
  binariesOfFlow,
} from "../../kernel/document/edits/binaries.js";

/** A stage by its names. */
export interface StageName {
  flow: string;
  stage: string;
}
/** Threads that something runs on. */
export interface Spot {
  /** As the running binary names it: a drawn pool, or `<Flow>.<stage>` for threads of a join's own. */
  pool: string;
  /** The one thread of the pool, when a placement names one. */
  thread?: number;
  /** The stage whose join has the threads as its own. */
  ownOf?: StageName;
  /** Undefined: one for each CPU, or as many as needed. */
  threads: number | undefined;
}
/** Calls to a service, or a stage, and where a binary runs them. */
export interface Run {
  service: string;
  /** Undefined: calls to the service. */
  stage?: StageName;
  /** What decides it: a placement, a join, or the stage before, on whose thread it runs. */
  by: "placement" | "join" | "fused";
  /** Several behind a merge of branches that run apart. */
  spots: readonly Spot[];
}

/**
 * Everything that a binary runs, the services in the document's order. The placement of a service counts
 * for calls to it, over HTTP too, and for the first stage of a flow: with neither it has no run by it.
 */
export function runsIn(topology: Topology, binary: Binary): Run[] {
  const called = new Set([
    ...topology.services.flatMap(({ calls }) => calls),
    ...(binary.expose ?? []),
    // It comes as a call does.
    ...stagesFor(topology, binary).flatMap(({ stage }) => (stage.join === undefined ? [stage.service] : [])),
  ]);
  const stages = new Map<string, Run[]>();
  for (const run of stageRuns(topology, binary))
    stages.set(run.service, [...(stages.get(run.service) ?? []), run]);
  return servicesOf(topology, binary).flatMap((service): Run[] => {
    const own = stages.get(service) ?? [];
    if (own.length > 0 && !called.has(service)) return own;
    const { pool, thread, threads } = placedOn(binary, service);
    const spot: Spot = thread === undefined ? { pool, threads } : { pool, thread, threads };
    return [{ service, by: "placement", spots: [spot] }, ...own];
  });
}

/** The stages that a binary runs: of its own flows, then those that it runs for others by a join. */
export const stageRuns = (topology: Topology, binary: Binary): Run[] => [
  ...ownStageRuns(topology, binary),
  ...stagesFor(topology, binary).flatMap(({ flow, stage }): Run[] => {
    const { id, service, join } = stage;
    if (join === undefined) return [];
    const spots = [spotOf(flow.name, placeOfJoin(binary, id, join))];
    return [{ service, stage: { flow: flow.name, stage: id }, by: "join", spots }];
  }),
];

/** Stages of flows of other binaries, which do not serve them: the first binary that does is asked. */
const stagesFor = (topology: Topology, binary: Binary): { flow: Flow; stage: Stage }[] =>
  topology.flows.flatMap((flow) => {
    const owners = binariesOfFlow(topology, flow.name);
    return flow.stages.flatMap((stage) => {
      const serving = binariesOf(topology, stage.service);
      const asks = owners.some((owner) => !serving.includes(owner));
      return asks && serving[0]?.name === binary.name ? [{ flow, stage }] : [];
    });
  });

const ownStageRuns = (topology: Topology, binary: Binary): Run[] =>
  flowsOf(topology, binary).flatMap((flow) =>
    stagesRunOn(binary, flow, servedElsewhere(topology, binary)).flatMap(({ places, queued }, at): Run[] => {
      const stage = flow.stages[at];
      if (stage === undefined || !serves(topology, binary, stage.service)) return [];
      return [
        {
          service: stage.service,
          stage: { flow: flow.name, stage: stage.id },
          by: !queued ? "fused" : stage.join === undefined ? "placement" : "join",
          spots: places.map((place) => spotOf(flow.name, place)),
        },
      ];
    }),
  );

function spotOf(flow: string, { pool, threads }: StagePlace): Spot {
  if ("ownOf" in pool)
    return { pool: ownPoolOf(flow, pool.ownOf), ownOf: { flow, stage: pool.ownOf }, threads };
  const { name, thread } = pool;
  return thread === undefined ? { pool: name, threads } : { pool: name, thread, threads };
}

const spotWords = ({ pool, thread, ownOf, threads }: Spot, stage: StageName): string => {
  if (ownOf === undefined)
    return thread === undefined ? `pool ${pool}` : `thread ${threadName(pool, thread)}`;
  if (ownOf.stage !== stage.stage) return `the threads of the join before ${ownOf.stage}`;
  if (threads === undefined) return "as many threads of its own as it needs";
  return threads === 1 ? "a thread of its own" : `${threads} threads of its own`;
};
const REASONS: Readonly<Record<Run["by"], string>> = {
  placement: "by the placement of its service",
  join: "by its join",
  fused: "behind the stage before it",
};

/** `Runs as stage query of Orders on pool database, by its join.` Of calls: nothing. */
export function runWords({ stage, by, spots }: Run): string {
  if (stage === undefined) return "";
  const where = spots.map((spot) => spotWords(spot, stage)).join(" or ");
  return `Runs as stage ${stage.stage} of ${stage.flow} on ${where}, ${REASONS[by]}.`;
}
