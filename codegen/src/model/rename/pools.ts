import {
  binariesOfStage,
  indexTopology,
  type Binary,
  type Flow,
  type Placement,
  type Stage,
  type Topology,
} from "../topology/index.js";
import { presetsChanged } from "./presets.js";

/**
 * A pool of a binary, its placements there, and the joins of the stages that the binary runs. A join
 * names a pool of every binary that runs its stage, so one that another such binary still has under the
 * old name is left alone (the check then says that the names must agree).
 */
export function renamePool(topology: Topology, binaryName: string, from: string, to: string): Topology {
  const moves = joinsOnlyHere(topology, binaryName, from);
  const inBinary = (binary: Binary): Binary => ({
    ...binary,
    pools: binary.pools.map((pool) => (pool.name === from ? { ...pool, name: to } : pool)),
    placement: mapPlacements(binary, (placement) =>
      placement.pool === from ? { ...placement, pool: to } : placement,
    ),
  });
  return {
    ...topology,
    binaries: topology.binaries.map((binary) =>
      binary.name === binaryName
        ? presetsChanged(inBinary(binary), { pool: (name) => (name === from ? to : name) })
        : binary,
    ),
    flows: topology.flows.map((flow) => joinsOf(flow, from, moves, { pool: to })),
  };
}

/** Removes a pool: what was placed on it goes to `default`, its joins (where no other binary has it) go. */
export function removePool(topology: Topology, binaryName: string, name: string): Topology {
  const moves = joinsOnlyHere(topology, binaryName, name);
  const unplace = (placement: Placement): Placement | undefined => {
    if (placement.pool !== name) return placement;
    return placement.implementation === undefined ? undefined : { implementation: placement.implementation };
  };
  return {
    ...topology,
    binaries: topology.binaries.map((binary) =>
      binary.name === binaryName
        ? {
            ...presetsChanged(binary, { pool: (other) => (other === name ? undefined : other) }),
            pools: binary.pools.filter((pool) => pool.name !== name),
            placement: mapPlacements(binary, unplace),
          }
        : binary,
    ),
    flows: topology.flows.map((flow) => joinsOf(flow, name, moves, undefined)),
  };
}

type Moves = (flow: Flow, stage: Stage) => boolean;

function joinsOnlyHere(topology: Topology, binaryName: string, pool: string): Moves {
  const index = indexTopology(topology);
  return ({ name }, { service }) => {
    const running = binariesOfStage(index, name, service);
    const elsewhere = running.some(
      (other) =>
        other !== binaryName && index.binaries.get(other)?.item.pools.some((item) => item.name === pool),
    );
    return running.includes(binaryName) && !elsewhere;
  };
}

function mapPlacements(
  binary: Binary,
  change: (placement: Placement) => Placement | undefined,
): Record<string, Placement> {
  return Object.fromEntries(
    Object.entries(binary.placement).flatMap(([service, placement]) => {
      const changed = change(placement);
      return changed === undefined ? [] : [[service, changed] as const];
    }),
  );
}

/** The flow with those of its joins on `pool` that move replaced, or taken out. */
function joinsOf(flow: Flow, pool: string, moves: Moves, replacement: { pool: string } | undefined): Flow {
  const isIt = (stage: Stage): boolean =>
    stage.join !== undefined && "pool" in stage.join && stage.join.pool === pool && moves(flow, stage);
  if (!flow.stages.some(isIt)) return flow;
  const stages = flow.stages.map((stage) => {
    if (!isIt(stage)) return stage;
    const { join: _, ...rest } = stage;
    return replacement === undefined ? rest : { ...rest, join: replacement };
  });
  return { ...flow, stages };
}
