import { DEFAULT_POOL, type Binary, type Topology, threadList } from "@penstock/codegen/topology";
import { runsIn, stageRuns, type Run, type StageName } from "../../drawing/queries/runsIn.js";
import { ownColorIndex } from "../../drawing/queries/virtualStages.js";

/** One thread of a pool as it is drawn. */
export interface ThreadCard {
  /** A drawn pool, or `<Flow>.<stage>` for threads of a join's own. */
  pool: string;
  index: number;
  /** Index of its colour: that of the pool in its binary, behind them for joins; -1 for the built-in one. */
  poolIndex: number;
  cpus: readonly number[];
  /** The stages that run on it, and the services whose calls do. */
  runs: readonly Run[];
  /** The stage whose join has it as its own. */
  ownOf?: StageName;
  /** It stands for as many threads as there is work for. */
  cached?: true;
}
/** A CPU with the threads pinned to it alone; `cpu` null: those that may run on several, or anywhere. */
export interface Lane {
  cpu: number | null;
  threads: readonly ThreadCard[];
}

/** The threads of a binary by where they may run; `defaultThreads` is the size of the built-in pool. */
export function lanesOf(
  topology: Topology,
  binary: Binary,
  cpus: readonly number[],
  defaultThreads: number,
): Lane[] {
  const cards = threadCards(topology, binary, defaultThreads);
  const numbers = [
    ...new Set([...cpus, ...cards.flatMap((card) => (card.cpus.length === 1 ? card.cpus : []))]),
  ];
  const lanes: Lane[] = numbers
    .sort((a, b) => a - b)
    .map((cpu) => ({ cpu, threads: cards.filter((card) => card.cpus.length === 1 && card.cpus[0] === cpu) }));
  return [...lanes, { cpu: null, threads: cards.filter((card) => card.cpus.length !== 1) }];
}

export function threadCards(topology: Topology, binary: Binary, defaultThreads: number): ThreadCard[] {
  const runs = runsIn(topology, binary);
  const runsOn = (pool: string, index: number) =>
    runs.filter(({ spots }) => spots.some((spot) => spot.pool === pool && (spot.thread ?? index) === index));
  const cards = (pool: string, poolIndex: number, cpus: readonly (readonly number[])[]) =>
    cpus.map((pins, index): ThreadCard => ({
      pool,
      index,
      poolIndex,
      cpus: pins,
      runs: runsOn(pool, index),
    }));
  const listed = binary.pools.flatMap(({ name, threads }, poolIndex) =>
    cards(
      name,
      name === DEFAULT_POOL ? -1 : poolIndex,
      threadList(threads).map((thread) => thread.cpus ?? []),
    ),
  );
  const own = stageRuns(topology, binary).flatMap(({ by, spots: [spot] }): ThreadCard[] => {
    if (by !== "join" || spot?.ownOf === undefined) return [];
    const { pool, ownOf, threads } = spot;
    const pins = Array.from({ length: threads ?? 1 }, () => []);
    return cards(pool, ownColorIndex(topology, binary, pool), pins).map((card) =>
      threads === undefined ? { ...card, ownOf, cached: true } : { ...card, ownOf },
    );
  });
  const sized = binary.pools.some((pool) => pool.name === DEFAULT_POOL);
  if (sized || runsOn(DEFAULT_POOL, 0).length === 0) return [...listed, ...own];
  const anywhere = Array.from({ length: defaultThreads }, () => []);
  return [...listed, ...own, ...cards(DEFAULT_POOL, -1, anywhere)];
}
