import {
  binariesOfStage,
  DEFAULT_POOL,
  indexTopology,
  threadCount,
  type Binary,
  type Placement,
  type Topology,
} from "@penstock/codegen/topology";
import { withTopology, type DocumentModel } from "../model.js";
import { withExposed } from "./expose.js";
import { moveRules } from "./moveRules.js";
import { servicesOf } from "./binaries.js";

/**
 * Has one binary alone serve a bundle. What places its services goes along, with the pools that they, and the joins of
 * its stages, run on, and the rules between presets that watch them.
 */
export function moveBundle(model: DocumentModel, bundle: string, target: string): DocumentModel {
  const { topology } = model;
  const left = topology.binaries.filter(({ name, bundles }) => name !== target && bundles.includes(bundle));
  const moved: Topology = {
    ...topology,
    binaries: topology.binaries.map((binary) => {
      if (left.includes(binary))
        return { ...binary, bundles: binary.bundles.filter((other) => other !== bundle) };
      if (binary.name !== target || binary.bundles.includes(bundle)) return binary;
      return { ...binary, bundles: [...binary.bundles, bundle] };
    }),
  };
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
  const left: Binary = {
    ...binary,
    placement: Object.fromEntries(entries.filter(([service]) => here.has(service) || !there.has(service))),
  };
  const { from: stays, to: comes } = moveRules(topology, {
    from: left,
    to: { ...to, placement, pools: [...to.pools, ...pools] },
    pools: new Set([...going.flatMap(([, { pool }]) => pool ?? []), ...joinPools(topology, to)]),
  });
  const used = new Set([
    ...Object.values(stays.placement).map(({ pool }) => pool),
    ...joinPools(topology, stays),
    ...(stays.presets ?? []).flatMap(({ pools: sized, joins }) => [
      ...sized.map(({ name }) => name),
      ...joins.flatMap(({ join }) => (join && "pool" in join ? [join.pool] : [])),
    ]),
  ]);
  stays.pools = binary.pools.filter((pool) => !pools.includes(pool) || used.has(pool.name));
  const asked = (binary.expose ?? []).filter((service) => !here.has(service) && there.has(service));
  return {
    ...topology,
    binaries: topology.binaries.map((one) =>
      one === binary
        ? asked.reduce((now, service) => withExposed(topology, now, service, false), stays)
        : one === to
          ? asked.reduce((now, service) => withExposed(topology, now, service, true), comes)
          : one,
    ),
  };
}

/** Where the other binary has a pool of that name already, which may have fewer threads. */
function fitting({ thread, ...placed }: Placement, { pools }: Binary): Placement {
  const own = pools.find(({ name }) => name === placed.pool);
  if (thread === undefined || (own !== undefined && thread >= threadCount(own.threads))) return placed;
  return { ...placed, thread };
}

/** The pools that joins of the stages it runs name. */
function joinPools(topology: Topology, { name }: Binary): string[] {
  const index = indexTopology(topology);
  return topology.flows.flatMap((flow) =>
    flow.stages.flatMap(({ join, service }) =>
      join && "pool" in join && binariesOfStage(index, flow.name, service).includes(name) ? [join.pool] : [],
    ),
  );
}
