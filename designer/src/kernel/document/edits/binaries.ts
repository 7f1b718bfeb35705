import { removePool as poolRemoved } from "@penstock/codegen/rename";
import {
  DEFAULT_POOL,
  isThreadRange,
  plainPool,
  threadList,
  type Binary,
  type Placement,
  type Pool,
  type PresetRule,
  type Thread,
  type ThreadRange,
  type Topology,
} from "@penstock/codegen/topology";
import { bundlesOfService } from "./bundles.js";
import { freshName, patched, replaced, withTopology, type DocumentModel } from "../model.js";

export const binaryRef = (name: string): string => `binary:${name}`;

/** `AdBundle` -> `ad-bundle`. */
const kebab = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();

/** A name for a binary that serves `bundle`: `AdBundle` -> `ad-server`. */
export const freshBinaryName = (topology: Topology, bundle?: string): string =>
  freshName(
    `${kebab(bundle?.replace(/Bundle$/, "") || topology.name).replace(/_/g, "-")}-server`,
    topology.binaries.map((binary) => binary.name),
  );

export const newBinary = (name: string, bundles: string[]): Binary => ({
  name,
  bundles,
  pools: [],
  placement: {},
  listen: [],
  control: "127.0.0.1:0",
});

export function addBinary(model: DocumentModel, binary: Binary): DocumentModel {
  const { topology } = model;
  return withTopology(model, { ...topology, binaries: [...topology.binaries, binary] });
}

export function changeBinary(
  model: DocumentModel,
  name: string,
  change: (binary: Binary) => Binary,
): DocumentModel {
  const { topology } = model;
  const binaries = replaced(topology.binaries, (binary) => binary.name === name, change);
  return binaries === topology.binaries ? model : withTopology(model, { ...topology, binaries });
}

export const removeBinary = (model: DocumentModel, name: string): DocumentModel =>
  withTopology(model, {
    ...model.topology,
    binaries: model.topology.binaries.filter((binary) => binary.name !== name),
  });

export const freshPoolName = (binary: Binary): string =>
  freshName("pool", [DEFAULT_POOL, ...binary.pools.map((pool) => pool.name)]);

export const newPool = (name: string, threads: number): Pool =>
  plainPool(
    name,
    Array.from({ length: threads }, () => ({})),
  );

export const addPool = (model: DocumentModel, binary: string, pool: Pool): DocumentModel =>
  changeBinary(model, binary, (found) => ({ ...found, pools: [...found.pools, pool] }));

export const changePool = (
  model: DocumentModel,
  binary: string,
  name: string,
  change: (pool: Pool) => Pool,
): DocumentModel =>
  changeBinary(model, binary, (found) => {
    const pools = replaced(found.pools, (pool) => pool.name === name, change);
    return pools === found.pools ? found : { ...found, pools };
  });

/** Gives a pool this many threads, which stay; the pins of those that there were are kept. */
export function resizedPool(pool: Pool, threads: number): Pool {
  const before = threadList(pool.threads);
  if (before.length === threads && !isThreadRange(pool.threads)) return pool;
  return { ...pool, threads: Array.from({ length: threads }, (_, index): Thread => before[index] ?? {}) };
}

/** The binary with these rules between presets; none: as if it never had any. */
export function withRules(binary: Binary, rules: readonly PresetRule[] = []): Binary {
  const { rules: _, ...rest } = binary;
  return rules.length === 0 ? rest : { ...rest, rules: [...rules] };
}

/** Lets the threads of a pool come and go within bounds. */
export const boundedPool = (pool: Pool, { from, to }: ThreadRange): Pool => ({
  ...pool,
  threads: { from, to },
});

/** Pins one thread; no CPUs: anywhere. Threads that come and go have no pins. */
export const pinnedThread = (pool: Pool, index: number, cpus: readonly number[]): Pool =>
  isThreadRange(pool.threads)
    ? pool
    : {
        ...pool,
        threads: pool.threads.map((thread, at) =>
          at !== index ? thread : cpus.length > 0 ? { cpus: [...cpus] } : {},
        ),
      };

/** Changes where calls to a service run; an empty placement is taken out. */
export const place = (
  model: DocumentModel,
  binary: string,
  service: string,
  patch: { [K in keyof Placement]?: Placement[K] | undefined },
): DocumentModel =>
  changeBinary(model, binary, (found) => {
    const old = found.placement[service] ?? {};
    const next = patched(old, patch);
    if (next === old) return found;
    const placement = { ...found.placement };
    if (Object.keys(next).length === 0) delete placement[service];
    else placement[service] = next;
    return { ...found, placement };
  });

/** Removes a pool; what was placed on it goes back to the default, and so do joins that named it. */
export const removePool = (model: DocumentModel, binary: string, name: string): DocumentModel =>
  withTopology(model, poolRemoved(model.topology, binary, name));

/** The binaries that serve a service, through a bundle that lists it. */
export const binariesOf = (topology: Topology, service: string): Binary[] => {
  const bundles = bundlesOfService(topology, service);
  return topology.binaries.filter((binary) => bundles.some(({ name }) => binary.bundles.includes(name)));
};

/** Asks whether a service is served, by other binaries only. */
export const servedElsewhere =
  (topology: Topology, binary: Binary) =>
  (service: string): boolean => {
    const serving = binariesOf(topology, service);
    return serving.length > 0 && !serving.includes(binary);
  };

/** The services a binary serves, in the document's order. */
export const servicesOf = (topology: Topology, binary: Binary): string[] => {
  const served = new Set(
    topology.bundles
      .filter((bundle) => binary.bundles.includes(bundle.name))
      .flatMap((bundle) => bundle.services),
  );
  return topology.services.map((service) => service.name).filter((name) => served.has(name));
};

/** The binaries that run a flow, through a bundle that lists it. */
export function binariesOfFlow(topology: Topology, flow: string): Binary[] {
  const bundles = topology.bundles.filter((bundle) => bundle.flows.includes(flow)).map((item) => item.name);
  return topology.binaries.filter((binary) => binary.bundles.some((name) => bundles.includes(name)));
}
