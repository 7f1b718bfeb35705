import { flowsOf } from "@penstock/codegen/arrange";
import {
  DEFAULT_POOL,
  threadCount,
  type Binary,
  type Flow,
  type Placement,
  type Topology,
} from "@penstock/codegen/topology";
import { withTopology, type DocumentModel } from "../model.js";
import { binariesOfFlow } from "../flowBinaries.js";
import { servedElsewhere, servicesOf } from "./binaries.js";

/**
 * Has one binary alone serve a bundle. What places its services goes along, with the pools that they run on. A stage
 * whose flow stays behind has no join any more: it is placed where the join was, over there.
 */
export function moveBundle(model: DocumentModel, bundle: string, target: string): DocumentModel {
  const { topology } = model;
  const left = topology.binaries.filter(({ name, bundles }) => name !== target && bundles.includes(bundle));
  const moved = withoutJoinsElsewhere(
    {
      ...topology,
      binaries: topology.binaries.map((binary) => {
        if (left.includes(binary))
          return { ...binary, bundles: binary.bundles.filter((other) => other !== bundle) };
        if (binary.name !== target || binary.bundles.includes(bundle)) return binary;
        return { ...binary, bundles: [...binary.bundles, bundle] };
      }),
    },
    left.map(({ name }) => name),
  );
  return withTopology(
    model,
    left.reduce((now, before) => settle(now, before, target), moved),
  );
}

/** What a binary had for services and flows that it does not have any more goes to `target`. */
function settle(topology: Topology, before: Binary, target: string): Topology {
  const binary = topology.binaries.find(({ name }) => name === before.name);
  const to = topology.binaries.find(({ name }) => name === target);
  if (!binary || !to) return topology;
  const here = new Set(servicesOf(topology, binary));
  const there = new Set(servicesOf(topology, to));
  const entries = Object.entries(binary.placement);
  const going = entries
    .filter(([service]) => !here.has(service) && there.has(service))
    .map(([service, placed]) => [service, fitting(placed, to)] as const);
  const placement = { ...Object.fromEntries(going), ...to.placement };
  const needed = new Set([...Object.values(placement).map(({ pool }) => pool), ...joinPools(topology, to)]);
  const drawn = new Set(to.pools.map(({ name }) => name));
  const pools = before.pools.filter(
    ({ name }) => needed.has(name) && !drawn.has(name) && name !== DEFAULT_POOL,
  );
  const stays: Binary = {
    ...binary,
    placement: Object.fromEntries(entries.filter(([service]) => here.has(service) || !there.has(service))),
  };
  const used = new Set([
    ...Object.values(stays.placement).map(({ pool }) => pool),
    ...joinPools(topology, stays),
    ...(stays.presets ?? []).flatMap(({ pools: sized, joins }) => [
      ...sized.map(({ name }) => name),
      ...joins.flatMap(({ join }) => (join && "pool" in join ? [join.pool] : [])),
    ]),
  ]);
  stays.pools = binary.pools.filter((pool) => !pools.includes(pool) || used.has(pool.name));
  const comes: Binary = { ...to, placement, pools: [...to.pools, ...pools] };
  return {
    ...topology,
    binaries: topology.binaries.map((one) => (one === binary ? stays : one === to ? comes : one)),
  };
}

/** Where the other binary has a pool of that name already, which may have fewer threads. */
function fitting({ thread, ...placed }: Placement, { pools }: Binary): Placement {
  const own = pools.find(({ name }) => name === placed.pool);
  if (thread === undefined || (own !== undefined && thread >= threadCount(own.threads))) return placed;
  return { ...placed, thread };
}

const joinPools = (topology: Topology, binary: Binary): string[] =>
  flowsOf(topology, binary).flatMap(({ stages }) =>
    stages.flatMap(({ join }) => (join && "pool" in join ? [join.pool] : [])),
  );

/** Each stage that another binary runs without its join, and with the placement that the join was in one of `left`. */
function withoutJoinsElsewhere(topology: Topology, left: readonly string[]): Topology {
  const placed: { service: string; pool: string }[] = [];
  const settled = (flow: Flow): Flow => {
    const [owner] = binariesOfFlow(topology, flow.name);
    if (!owner) return flow;
    const isElsewhere = servedElsewhere(topology, owner);
    if (!flow.stages.some(({ join, service }) => join && isElsewhere(service))) return flow;
    const stages = flow.stages.map((stage) => {
      const { join, ...rest } = stage;
      if (!join || !isElsewhere(stage.service)) return stage;
      if ("pool" in join) placed.push({ service: stage.service, pool: join.pool });
      return rest;
    });
    return { ...flow, stages };
  };
  const flows = topology.flows.map(settled);
  // As if it had been placed there before: it goes along like all that is.
  const binaries = topology.binaries.map((binary) => {
    const gone = placed.filter(
      ({ service, pool }) =>
        left.includes(binary.name) &&
        binary.placement[service] === undefined &&
        binary.pools.some(({ name }) => name === pool),
    );
    if (gone.length === 0) return binary;
    const more = Object.fromEntries(gone.map(({ service, pool }) => [service, { pool }]));
    return { ...binary, placement: { ...binary.placement, ...more } };
  });
  return { ...topology, flows, binaries };
}
