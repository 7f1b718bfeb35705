import { parseNodeRef, type Service, type Topology } from "@penstock/codegen/topology";
import { madeOnce } from "../../kernel/document/madeOnce.js";
import type { BinaryTrack } from "../../kernel/live/track/binaryTrack.js";
import type { Bottleneck } from "../../kernel/live/bottleneck/bottleneck.js";
import type {
  ImplementationFigures,
  PoolFigures,
  ServiceFigures,
  StageFigures,
} from "../../kernel/live/figures/figures.js";
import { formatDuration } from "../../kernel/live/figures/format.js";
import { drawnName, staleMs, trackOfFlow, trackOfService } from "../../kernel/live/liveStore.js";
import type { ThemeColors } from "../../kernel/ui/look/themeColors.js";
import type { Load } from "./brush.js";
import type { StripFigures } from "./columns.js";
import type { NodeLook } from "./paintNode.js";

const none: ReadonlySet<string> = new Set();

/** What a frame needs to know besides the tracks. */
export interface Scene {
  topology: Topology;
  bottlenecks: readonly Bottleneck[];
  colors: ThemeColors;
  now: number;
}

const share = (value: number): number => (Number.isNaN(value) ? 0 : Math.max(0, Math.min(1, value)));

/** A pool's load, or its one thread's where the service is pinned to it. */
function loadOf(pool: PoolFigures | undefined, thread: number | undefined): Load | null {
  if (!pool) return null;
  const one = thread === undefined ? undefined : pool.threads[thread];
  return {
    busy: share(one ? one.busy : pool.load),
    waiting: pool.queue > 0 ? share(pool.queued / pool.queue) : 0,
    blocked: pool.count > 0 ? share(pool.blocked / pool.count) : 0,
  };
}

const poolIndexes = new WeakMap<Topology, Map<string, number>>();
function poolColorOf(scene: Scene, binary: string, pool: string): string {
  let indexes = poolIndexes.get(scene.topology);
  if (!indexes) {
    indexes = new Map();
    for (const one of scene.topology.binaries)
      one.pools.forEach((drawn, index) => indexes?.set(`${one.name}/${drawn.name}`, index));
    poolIndexes.set(scene.topology, indexes);
  }
  const index = indexes.get(`${binary}/${pool}`);
  return index === undefined ? scene.colors["text-3"] : scene.colors[`pool-${((index % 6) + 1) as 1}`];
}

const SLOW = 5;
/** An implementation that runs five times as long as the next. */
function slowOnes(implementations: readonly ImplementationFigures[]): ReadonlySet<string> {
  const timed = implementations
    .filter((one) => one.ranLately !== null)
    .toSorted((a, b) => (b.ranLately ?? 0) - (a.ranLately ?? 0));
  const [first, next] = timed;
  return first && next && (first.ranLately ?? 0) >= SLOW * Math.max(next.ranLately ?? 0, 1)
    ? new Set([first.name])
    : none;
}

/** What of a service's or a stage's figures stands on the node. */
const stripOf = (of: ServiceFigures | StageFigures): StripFigures => ({
  rate: of.rate,
  errorRate: of.errorRate,
  expired: Number.isNaN(of.expired) ? 0 : of.expired,
  ran: of.run.p50,
  waited: of.wait.p50,
  p50: of.p50,
  p99: of.p99,
});

const byName = madeOnce((services: readonly Service[]) => new Map(services.map((one) => [one.name, one])));

/**
 * Whether a service answers that nobody has written its handler. One that asks such a service hands that answer
 * on: it is written itself, as far as its figures tell.
 */
function isUnwritten(scene: Scene, track: BinaryTrack, service: ServiceFigures): boolean {
  if (service.written || service.unimplemented === 0) return false;
  const drawn = byName(scene.topology.services).get(service.service);
  // Nobody writes a node's handler: it hands on what somebody else answered.
  if (drawn?.node !== undefined) return false;
  return !drawn?.calls.some((callee) => (track.services.get(callee)?.figures.unimplemented ?? 0) > 0);
}

/** A handler that keeps its thread is said so; errors of one that nobody has written yet are named as that. */
const withWords = (figures: StripFigures, service: ServiceFigures, unwritten: boolean): StripFigures => ({
  ...figures,
  ...(unwritten ? { errorWords: "not written" } : {}),
  ...(service.stuckMs > 0 ? { alarm: `stuck ${formatDuration(service.stuckMs)}` } : {}),
});

function serviceLook(
  scene: Scene,
  track: BinaryTrack,
  name: string,
  stage?: { flow: string; id: string },
): NodeLook | null {
  const service = track.services.get(name)?.figures;
  if (!service) return null;
  const at = stage
    ? track.flows.get(stage.flow)?.figures.stages.find((one) => one.id === stage.id)
    : undefined;
  const poolName = at?.runsOn || service.pool;
  const pool = track.pools.get(poolName)?.figures;
  const home = drawnName(track.binary);
  const placed = scene.topology.binaries.find((one) => one.name === home)?.placement[name];
  const bottleneck = scene.bottlenecks.some(
    (one) => one.binary === track.binary && one.pool === poolName && one.services.includes(name),
  );
  return {
    // A service that stages use and others call is shown by its own figures where the stage has none.
    figures: withWords(
      stripOf(at && !Number.isNaN(at.rate) ? at : service),
      service,
      isUnwritten(scene, track, service),
    ),
    load: loadOf(pool, placed?.pool === poolName ? placed.thread : undefined),
    implementations: service.implementations,
    poolColor: poolColorOf(scene, home, poolName),
    slow: slowOnes(service.implementations),
    staleMs: staleMs(track, scene.now),
    bottleneck,
  };
}

/** A stage that another binary runs: its flow counts its events, and that binary says how they fare there. */
function elsewhereLook(scene: Scene, track: BinaryTrack, stage: StageFigures): NodeLook {
  const { rate, errorRate, expired = 0, ...own } = stripOf(stage);
  const counted = { rate, errorRate, expired };
  const staleHere = staleMs(track, scene.now);
  const there = trackOfService(stage.service);
  const look = there ? serviceLook(scene, there, stage.service) : null;
  if (look?.figures)
    return {
      ...look,
      figures: { ...look.figures, ...counted },
      staleMs: Math.max(look.staleMs, staleHere),
    };
  return {
    figures: { ...own, ...counted },
    load: null,
    implementations: [],
    poolColor: scene.colors["text-3"],
    slow: none,
    staleMs: staleHere,
    bottleneck: false,
  };
}

/** What to paint into the node `ref`; null when there are no figures of it. */
export function lookOf(scene: Scene, ref: string): NodeLook | null {
  const parsed = parseNodeRef(ref);
  const [first = "", second = ""] = parsed?.path ?? [];
  if (parsed?.kind === "service") {
    const track = trackOfService(first);
    return track ? serviceLook(scene, track, first) : null;
  }
  if (parsed?.kind === "stage") {
    const track = trackOfFlow(first);
    const stage = track?.flows.get(first)?.figures.stages.find((one) => one.id === second);
    if (!track || !stage) return null;
    if (!track.services.has(stage.service)) return elsewhereLook(scene, track, stage);
    return serviceLook(scene, track, stage.service, { flow: first, id: second });
  }
  if (parsed?.kind !== "flow") return null;
  const track = trackOfFlow(first);
  const flow = track?.flows.get(first)?.figures;
  if (!track || !flow) return null;
  return {
    figures: {
      rate: flow.emitted,
      errorRate:
        (Number.isNaN(flow.failed) ? 0 : flow.failed) + (Number.isNaN(flow.dropped) ? 0 : flow.dropped),
      p50: null,
      p99: flow.p99,
    },
    load: { busy: 0, waiting: 0, blocked: 0 },
    implementations: [],
    poolColor: scene.colors.accent,
    slow: none,
    staleMs: staleMs(track, scene.now),
    bottleneck: false,
  };
}
