import type { LiveSchema } from "@penstock/codegen/contract";

/** Of a drawing, what a binary says of itself. */
interface Drawn {
  name: string;
  services: { name: string; kind: string; calls?: string[]; implementations?: string[] }[];
  flows?: {
    name: string;
    source: LiveSchema["flows"][number]["source"];
    stages: { id: string; service: string; role?: string; join?: { pool?: string } }[];
  }[];
  binaries: {
    name: string;
    pools?: { name: string; threads: { cpus?: number[] }[] }[];
    placement?: Record<string, { pool: string }>;
  }[];
}
type Pool = LiveSchema["pools"][number];

/** The threads of a pool, those without processors of their own on either of two. */
export const threadsOf = (pool: string, id: number, threads: { cpus?: number[] }[]): Pool["threads"] =>
  threads.map(({ cpus }, at) => ({
    name: `${pool}-${at}`,
    tid: 10 * (id + 1) + at,
    asked: cpus ?? [],
    actual: cpus ?? [0, 1],
  }));

/** The schema of the first binary of a drawing, which has run for two minutes; `threads` are those of its default pool. */
export function liveSchema(drawn: Drawn, threads: number): LiveSchema {
  const binary = drawn.binaries[0]!;
  const drawnPools = [
    { name: "default", threads: Array.from({ length: threads }, () => ({})) },
    ...(binary.pools ?? []),
  ];
  const poolOf = (name: string | undefined) => drawnPools.findIndex((pool) => pool.name === name);
  const serviceOf = (name: string) => drawn.services.findIndex((service) => service.name === name);
  return {
    type: "schema",
    version: 1,
    project: drawn.name,
    binary: binary.name,
    topologyHash: `sha256:7f3a91c${"0".repeat(57)}`,
    runtime: "1.0.0",
    pid: 4242,
    startedAtMs: Date.now() - 134_000,
    intervalMs: 100,
    sampling: 3,
    services: drawn.services.map(({ name, kind, implementations = [] }, id) => ({
      ...{ id, name, kind, implementations, written: true },
      pool: poolOf(binary.placement?.[name]?.pool ?? "default"),
    })),
    calls: drawn.services
      .flatMap(({ calls = [] }, from) => calls.map((callee) => ({ from, to: serviceOf(callee) })))
      .map((call, id) => ({ id, ...call })),
    flows: (drawn.flows ?? []).map(({ name, source, stages }, id) => ({
      ...{ id, name, source },
      stages: stages.map((stage) => ({
        id: stage.id,
        service: serviceOf(stage.service),
        role: stage.role ?? "map",
        pool: stage.join?.pool === undefined ? null : poolOf(stage.join.pool),
      })),
    })),
    pools: drawnPools.map((pool, id) => ({
      ...{ id, name: pool.name, queue: 1024, overflow: "block", idle: "adaptive", priority: 0 },
      threads: threadsOf(pool.name, id, pool.threads),
    })),
  };
}
