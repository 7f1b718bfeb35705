import { parseNodeRef, type Topology } from "@penstock/codegen/topology";
import type { BinaryTrack } from "./track/binaryTrack.js";
import type { LatencyFigures, PartFigures } from "./figures/figures.js";
import { allTracks, drawnName, findTrack, trackOfFlow, trackOfService } from "./liveStore.js";
import type { Series } from "./track/series.js";

/** Whose curves are shown. */
export interface MetricsTarget {
  ref: string;
  title: string;
}

/** The selected thing that has figures; an edge counts as what it leads to. */
export function targetOf(selection: readonly string[], topology: Topology): MetricsTarget | null {
  for (const ref of selection) {
    const parsed = parseNodeRef(ref);
    const [first = "", second = ""] = parsed?.path ?? [];
    if (parsed?.kind === "service" || parsed?.kind === "flow") return { ref, title: first };
    if (parsed?.kind === "pool") return { ref, title: `pool ${second}` };
    if (parsed?.kind === "binary") return { ref, title: first };
    if (parsed?.kind !== "stage") continue;
    const stage = topology.flows.find((flow) => flow.name === first)?.stages.find((one) => one.id === second);
    return { ref, title: stage?.service ?? second };
  }
  return null;
}

/** What to show when nothing is selected: the first flow, else the first service, of what runs. */
export function firstTarget(): MetricsTarget | null {
  for (const track of allTracks()) {
    const [flow] = track.flows.keys();
    if (flow) return { ref: `flow:${flow}`, title: flow };
    const [service] = track.services.keys();
    if (service) return { ref: `service:${service}`, title: service };
  }
  return null;
}

export interface Curves {
  track: BinaryTrack;
  series: Series;
  /**
   * What the three rings hold: a pool has its load, queue and blocked callers in them, a process its CPUs, memory
   * and threads.
   */
  kind: "calls" | "pool" | "process";
}

/** The rings of a target while a binary has them. */
export function curvesOf(ref: string): Curves | null {
  const parsed = parseNodeRef(ref);
  const [first = "", second = ""] = parsed?.path ?? [];
  const found = (
    track: BinaryTrack | undefined,
    series: Series | undefined,
    kind: Curves["kind"] = "calls",
  ) => (track && series ? { track, series, kind } : null);
  if (parsed?.kind === "pool") {
    const track = findTrack(first);
    return found(track, track?.pools.get(second)?.series, "pool");
  }
  if (parsed?.kind === "binary") {
    const track = findTrack(first);
    return found(track, track?.processSeries, "process");
  }
  if (parsed?.kind === "flow") {
    const track = trackOfFlow(first);
    return found(track, track?.flows.get(first)?.series);
  }
  if (parsed?.kind === "stage") {
    const track = trackOfFlow(first);
    const flow = track?.flows.get(first);
    const index = flow?.figures.stages.findIndex((one) => one.id === second) ?? -1;
    return found(track, flow?.stages?.[index]?.series);
  }
  const track = trackOfService(first);
  return found(track, track?.services.get(first)?.series);
}

/** What the figures of a second rest on. */
export interface Sampled {
  /** About so many: what a binary counts in a second, and how much of it it times. */
  samples: number;
  per128: number;
}

/** Latencies of the last second: of all, and its two parts as far as they are known. */
export interface LatencyParts {
  /** The binary that runs a stage, and whose parts these are, where its flow is in another one; null: it is not. */
  away: string | null;
  whole: LatencyFigures;
  wait: LatencyFigures | null;
  run: LatencyFigures | null;
  /** Null: not known. */
  sampled: { whole: Sampled | null; parts: Sampled | null };
}

/** Of a flow's events, of a service's calls, of a stage. */
export function latenciesOf(ref: string): LatencyParts | null {
  const parsed = parseNodeRef(ref);
  const [first = "", second = ""] = parsed?.path ?? [];
  if (parsed?.kind === "service") {
    const there = trackOfService(first);
    return inParts(there, there?.services.get(first)?.figures);
  }
  const track = trackOfFlow(first);
  const flow = track?.flows.get(first)?.figures;
  if (parsed?.kind === "flow") {
    const sampled = { whole: sampledOf(track, flow?.completed), parts: null };
    return flow ? { away: null, whole: flow, wait: null, run: null, sampled } : null;
  }
  const stage = flow?.stages.find(({ id }) => id === second);
  if (!stage || track?.services.has(stage.service)) return inParts(track, stage);
  const there = trackOfService(stage.service);
  if (!there) return inParts(track, stage);
  const parts = inParts(there, there.services.get(stage.service)?.figures);
  const sampled = { whole: sampledOf(track, stage.rate), parts: parts?.sampled.parts ?? null };
  return { wait: null, run: null, ...parts, away: drawnName(there.binary), whole: stage, sampled };
}

function inParts(
  track: BinaryTrack | undefined,
  of: (LatencyFigures & PartFigures & { rate: number }) | undefined,
): LatencyParts | null {
  if (!of) return null;
  const sampled = sampledOf(track, of.rate);
  return {
    away: null,
    whole: of,
    wait: known(of.wait),
    run: known(of.run),
    sampled: { whole: sampled, parts: sampled },
  };
}

/** Where there are figures, one at least was timed. */
function sampledOf(track: BinaryTrack | undefined, rate = Number.NaN): Sampled | null {
  const per128 = track?.schema?.sampling ?? 0;
  const samples = (rate * per128) / 128;
  return samples > 0 ? { samples: Math.max(1, Math.round(samples)), per128 } : null;
}

const known = (part: LatencyFigures): LatencyFigures | null => (part.p50 === null ? null : part);
