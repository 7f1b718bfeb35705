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

/** Latencies of the last second: of all, and its two parts as far as they are known. */
export interface LatencyParts {
  /** The binary that runs a stage, and whose parts these are, where its flow is in another one; null: it is not. */
  away: string | null;
  whole: LatencyFigures;
  wait: LatencyFigures | null;
  run: LatencyFigures | null;
}

/** Of a flow's events, of a service's calls, of a stage. */
export function latenciesOf(ref: string): LatencyParts | null {
  const parsed = parseNodeRef(ref);
  const [first = "", second = ""] = parsed?.path ?? [];
  if (parsed?.kind === "service") return inParts(trackOfService(first)?.services.get(first)?.figures);
  const track = trackOfFlow(first);
  const flow = track?.flows.get(first)?.figures;
  if (parsed?.kind === "flow") return flow ? { away: null, whole: flow, wait: null, run: null } : null;
  const stage = flow?.stages.find(({ id }) => id === second);
  if (!stage || track?.services.has(stage.service)) return inParts(stage);
  const there = trackOfService(stage.service);
  if (!there) return inParts(stage);
  const parts = inParts(there.services.get(stage.service)?.figures);
  return { wait: null, run: null, ...parts, away: drawnName(there.binary), whole: stage };
}

const inParts = (of: (LatencyFigures & PartFigures) | undefined): LatencyParts | null =>
  of ? { away: null, whole: of, wait: known(of.wait), run: known(of.run) } : null;

const known = (part: LatencyFigures): LatencyFigures | null => (part.p50 === null ? null : part);
