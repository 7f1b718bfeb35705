import type { LiveSchema } from "../contract/index.js";
import { DEFAULT_POOL, type Topology } from "../model/topology/index.js";

/** What things are called in the code and the threads of a binary that is recorded. */
export interface RecordedNames {
  namespaces: readonly string[];
  services: readonly string[];
  flows: readonly string[];
  sources: readonly { flow: string; kind: string }[];
  /** With their threads, where these do not come and go. */
  pools: readonly { name: string; threads?: readonly string[] }[];
}

const NAMESPACE = /^[A-Za-z_]\w*$/;

/** Names that a binary runs by, then those that are drawn, each once. */
const both = (runs: readonly { name: string }[], drawn: readonly { name: string }[]): string[] => [
  ...new Set([...runs, ...drawn].map(({ name }) => name)),
];

const sourcesOf = (flows: readonly { name: string; source: { kind: string } }[]): RecordedNames["sources"] =>
  flows.map(({ name: flow, source: { kind } }) => ({ flow, kind }));

function drawnPools({ flows, binaries }: Topology, binary: string): RecordedNames["pools"] {
  const pools = binaries.find(({ name }) => name === binary)?.pools ?? [];
  const own = flows.flatMap(({ name, stages }) => stages.map(({ id }) => `${name}.${id}`));
  return [...new Set([DEFAULT_POOL, ...pools.map(({ name }) => name), ...own])].map((name) => ({ name }));
}

/**
 * The names that a binary runs by are those that it was built with, whatever has been renamed in the drawing since. One that
 * does not say them has those of the drawing.
 */
export function recordedNames(topology: Topology, binary: string, runs?: LiveSchema | null): RecordedNames {
  const { name, services, flows } = topology;
  return {
    namespaces: [...new Set([runs?.project ?? name, name])].filter((one) => NAMESPACE.test(one)),
    services: both(runs?.services ?? [], services),
    flows: both(runs?.flows ?? [], flows),
    // Of both, one that was renamed would share its kind with itself.
    sources: sourcesOf(runs?.flows ?? flows),
    pools:
      runs?.pools.map(({ name: pool, threads, adaptive, cached }) =>
        adaptive || cached ? { name: pool } : { name: pool, threads: threads.map((thread) => thread.name) },
      ) ?? drawnPools(topology, binary),
  };
}
