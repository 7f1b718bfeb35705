import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import { createStore } from "zustand/vanilla";
import { BinaryTrack } from "./track/binaryTrack.js";
import type { Bottleneck } from "./bottleneck/bottleneck.js";
import { dropTraces, takeTraces } from "./traceStore.js";
import { documentStore } from "../document/store.js";
import type { NameChange } from "../document/nameChange.js";
import { projectStore, silentOf } from "../server/projectState.js";
import { BottleneckWatch } from "./bottleneck/bottleneckWatch.js";
import { tellSample } from "./nextSample.js";
import { rekeyTrack } from "./track/rekeyTrack.js";
import type { RunningModel } from "./names/runningDifference.js";
import { modelOf } from "./names/drawnModels.js";
import { NOWHERE, threadPlaces, type ThreadPlaces } from "./names/threadPlaces.js";
import { renamedSince } from "./names/renamedSince.js";
import { binaryAfter, inDrawnNames, inRunningNames } from "./names/runningNames.js";

/** A change made to the running system: the dashed line on the charts. */
export interface LiveMark {
  atMs: number;
  label: string;
  binary: string;
  /** Of a controller, which may take more of them: the threads before the first one, and when the last one was. */
  steps?: { pool: string; from: number; lastMs: number };
}

/** Older figures than this are shown greyed, with their age. */
export const STALE_MS = 2000;

export interface LiveState {
  /** Grows at most once an animation frame, whenever anything below or in a track has changed. */
  version: number;
  bottlenecks: readonly Bottleneck[];
  marks: readonly LiveMark[];
  /** Grows whenever a binary says anew of what it is made, or goes. */
  models: number;
  /** Which binaries have figures, in the order they came. */
  binaries: readonly string[];
}

/**
 * Live figures stand apart from the document: never in the undo log, never in React Flow's
 * nodes. Frames are taken in as they come (the rings stay exact); who shows them is told once
 * an animation frame, whatever the rate (latest wins).
 */
export const liveStore = createStore<LiveState>(() => ({
  version: 0,
  bottlenecks: [],
  marks: [],
  models: 0,
  binaries: [],
}));

const tracks = new Map<string, BinaryTrack>();
/** What binaries say of themselves, by their own names. */
const running = new Map<string, LiveSchema>();
const watch = new BottleneckWatch();
let cpus = 0;
let models = 0;
let frame = 0;

const nextFrame = (run: () => void): number =>
  typeof requestAnimationFrame === "function"
    ? requestAnimationFrame(run)
    : (setTimeout(run, 16) as unknown as number);

/** Asks for one notification before the next picture. */
export function touchLive(): void {
  if (frame !== 0) return;
  frame = nextFrame(() => {
    frame = 0;
    const names = [...tracks.keys()];
    liveStore.setState(({ version, binaries }) => ({
      version: version + 1,
      bottlenecks: watch.found,
      models,
      binaries:
        binaries.length === names.length && names.every((name, i) => name === binaries[i]) ? binaries : names,
    }));
  });
}

const trackOf = (binary: string): BinaryTrack => {
  let track = tracks.get(binary);
  if (!track) tracks.set(binary, (track = new BinaryTrack(binary)));
  return track;
};

/** Renames of the open project since the model was drawn that a binary was built from. */
const renamesOf = (schema: Pick<LiveSchema, "topologyHash">): readonly NameChange[] =>
  renamedSince(projectStore.getState().project ?? "", schema.topologyHash);

/** Takes new names of a binary; what was renamed since it was built is known by the names drawn. */
export function takeSchema(schema: LiveSchema): void {
  const before = running.get(schema.binary);
  running.set(schema.binary, schema);
  const named = inDrawnNames(schema, renamesOf(schema));
  trackOf(schema.binary).takeSchema(named);
  if (before?.pid === schema.pid) {
    markSteps(before, named);
    markSwitches(before, named);
  }
  models += 1;
  touchLive();
}

/** What controllers did to their pools since the names before: on the charts as what a person does. */
function markSteps(before: LiveSchema, now: LiveSchema): void {
  const known = new Map(before.pools.map(({ id, adaptive, threads }) => [id, { adaptive, threads }]));
  for (const { id, name, threads, adaptive } of now.pools) {
    const old = known.get(id);
    if (!adaptive || !old || adaptive.steps <= (old.adaptive?.steps ?? 0)) continue;
    markStep(now.binary, name, old.threads.length, threads.length);
  }
}

/** What rules brought into force since the names before, on the charts as well. */
function markSwitches(before: LiveSchema, { binary, rules = [] }: LiveSchema): void {
  const switches = (before.rules ?? []).map((rule) => rule.switches);
  rules.forEach((rule, at) => {
    if (rule.switches > (switches[at] ?? 0) && rule.preset !== null)
      addMark(binary, `${rule.preset} in force, by the rule of ${rule.of}`);
  });
}

/** Steps of a pool that follow each other are one mark: a line a second would hide the curve. */
const STEPS_TOGETHER_MS = 3000;

function markStep(binary: string, pool: string, before: number, threads: number): void {
  const nowMs = Date.now();
  const { marks } = liveStore.getState();
  const open = marks.find(
    ({ binary: of, steps }) =>
      of === binary && steps?.pool === pool && nowMs - steps.lastMs < STEPS_TOGETHER_MS,
  );
  const from = open?.steps?.from ?? before;
  const mark: LiveMark = {
    atMs: open?.atMs ?? nowMs,
    label: `${pool}: ${from} → ${threads} threads, by itself`,
    binary,
    steps: { pool, from, lastMs: nowMs },
  };
  putMark(mark, open);
}

/** Something drawn has another name: figures of what runs under the old one go with it. */
export function renameRunning(): void {
  for (const [binary, schema] of running) {
    const track = tracks.get(binary);
    if (!track?.schema) continue;
    const named = inDrawnNames(schema, renamesOf(schema));
    rekeyTrack(track, track.schema, named);
    track.takeSchema(named);
  }
  models += 1;
  touchLive();
}

/** What a binary (by its drawn name) says of itself, in its own names and in those that are drawn. */
export function runningModel(binary: string): RunningModel | undefined {
  const own = findOwn(binary);
  const drawn = findTrack(binary)?.schema;
  return own && drawn ? { own, drawn } : undefined;
}

/** What runs on one thread each, by the drawing that the binary was built from; of one that is not known, as drawn now. */
function placesOf({ binary, schema: drawn }: BinaryTrack): ThreadPlaces {
  const own = running.get(binary);
  if (!own || !drawn) return NOWHERE;
  const built = modelOf(own.topologyHash);
  if (built) return threadPlaces(built, binary, own, drawn);
  const { topology } = documentStore.getState();
  const now = topology.binaries.find(({ name }) => runningName(name) === binary);
  return now ? threadPlaces(topology, now.name, drawn, drawn) : NOWHERE;
}

/** The name that a binary runs by, and what to ask of it in the names that it knows; undefined where it does not run. */
export function asRunning<P extends object>(
  binary: string,
  params: P,
): { binary: string; params: P } | undefined {
  const name = runningName(binary);
  if (name === undefined) return undefined;
  const schema = running.get(name);
  if (!schema) return { binary: name, params };
  return { binary: name, params: inRunningNames(drawnName(name), params, renamesOf(schema)) };
}

/** The name that a binary is drawn by, of the one that it runs by. */
export function drawnName(runs: string): string {
  const schema = running.get(runs);
  if (!schema) return runs;
  const changes = renamesOf(schema);
  return changes.length === 0 ? runs : binaryAfter(runs, changes);
}

/**
 * The name that a binary runs by: the one that it was built with. Of none that is drawn it may be given itself;
 * undefined: another one runs by this name, whose own is by now another.
 */
export function runningName(binary: string): string | undefined {
  const own = drawnName(binary);
  if (own === binary && tracks.has(binary)) return binary;
  for (const name of running.keys()) if (drawnName(name) === binary) return name;
  const { binaries } = documentStore.getState().topology;
  return own !== binary && binaries.some(({ name }) => name === binary) ? undefined : binary;
}

/** The name that a flow is drawn by, of the one that it runs by in a binary of the name `runs`. */
export function drawnFlow(runs: string, flow: string): string {
  const at = running.get(runs)?.flows.findIndex(({ name }) => name === flow) ?? -1;
  return tracks.get(runs)?.schema?.flows[at]?.name ?? flow;
}

const findOwn = (binary: string): LiveSchema | undefined => {
  const name = runningName(binary);
  return name === undefined ? undefined : running.get(name);
};

export function takeSample(binary: string, sample: LiveSample, skipped = 0): void {
  const track = trackOf(binary);
  track.skipped += skipped;
  const nowMs = Date.now();
  track.takeSample(sample, performance.now(), nowMs);
  watch.look(
    track,
    cpus,
    () => placesOf(track),
    findTrack,
    (to) => silentOf(projectStore.getState(), runningName(to) ?? to),
  );
  tellSample(binary, sample);
  if (track.schema) takeTraces(track.schema, sample, nowMs);
  touchLive();
}

/** What was before this page: taken only where nothing is known yet, so that a curve is drawn once. */
export function takeHistory(binary: string, samples: readonly { ageMs: number; sample: LiveSample }[]): void {
  const track = trackOf(binary);
  if (track.times.length > 0) return;
  for (const { ageMs, sample } of samples)
    track.takeSample(sample, performance.now() - ageMs, Date.now() - ageMs);
  touchLive();
}

/** The server has lost the binary's figures; the last ones stay, greyed. */
export function takeLost(binary: string): void {
  const track = tracks.get(binary);
  if (track) track.lost = true;
  touchLive();
}

/** A binary has ended by itself: its last figures stay, greyed, but nothing is held up in it any more. */
export function endBinary(binary: string): void {
  const track = tracks.get(binary);
  if (!track || track.ended) return;
  track.lost = track.ended = true;
  watch.drop(binary);
  touchLive();
}

/** A binary that was stopped on purpose has no figures. */
export function dropBinary(binary: string): void {
  if (running.delete(binary)) models += 1;
  if (!tracks.delete(binary)) return;
  watch.drop(binary);
  tellSample(binary, null);
  touchLive();
}

export function resetLive(): void {
  for (const binary of tracks.keys()) tellSample(binary, null);
  tracks.clear();
  running.clear();
  watch.clear();
  dropTraces();
  liveStore.setState(({ version }) => ({ version: version + 1, bottlenecks: [], marks: [], binaries: [] }));
}

export const setMachineCpus = (count: number): void => {
  cpus = count;
};

export function addMark(binary: string, label: string): void {
  putMark({ atMs: Date.now(), label, binary });
}

/** Adds a mark, or puts it in the place of an older one. */
function putMark(mark: LiveMark, old?: LiveMark): void {
  watch.changed(mark.binary, performance.now());
  liveStore.setState(({ marks, version }) => ({
    marks: old ? marks.map((one) => (one === old ? mark : one)) : [...marks.slice(-31), mark],
    version: version + 1,
  }));
}

export const allTracks = (): Iterable<BinaryTrack> => tracks.values();
export const findTrack = (binary: string): BinaryTrack | undefined => {
  const name = runningName(binary);
  return name === undefined ? undefined : tracks.get(name);
};
/** By the name that it runs by, which something else may be drawn by. */
export const trackRunning = (runs: string): BinaryTrack | undefined => tracks.get(runs);

/** The binary that has figures of a service (or flow); of several the first that is still heard of, or was. */
export const trackOfService = (service: string): BinaryTrack | undefined =>
  firstTrack(({ services }) => services.has(service));
export const trackOfFlow = (flow: string): BinaryTrack | undefined =>
  firstTrack(({ flows }) => flows.has(flow));

function firstTrack(has: (track: BinaryTrack) => boolean): BinaryTrack | undefined {
  let gone: BinaryTrack | undefined;
  for (const track of tracks.values()) {
    if (!has(track)) continue;
    if (!track.lost) return track;
    gone ??= track;
  }
  return gone;
}

/** A binary that runs and is heard of takes commands; what another one has is changed in the drawing alone. */
export function isHeard(binary: string): boolean {
  const track = findTrack(binary);
  return track !== undefined && track.schema !== null && !track.lost;
}

/** Milliseconds since the last figures, or 0 while they are fresh. */
export function staleMs(track: BinaryTrack, now = performance.now()): number {
  const age = now - track.receivedAt;
  return track.receivedAt >= 0 && (track.lost || age > STALE_MS) ? Math.max(age, 1) : 0;
}

/** Ages grow without any message: a slow clock that runs only while something is stale. */
export function startStaleClock(): () => void {
  const timer = setInterval(() => {
    for (const track of tracks.values()) if (staleMs(track) > 0) return touchLive();
  }, 500);
  return () => clearInterval(timer);
}
