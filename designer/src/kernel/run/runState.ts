import { topologyHash, type Topology } from "@penstock/codegen/topology";
import { useMemo, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { documentStore, useDocument } from "../document/index.js";
import { findTrack, liveStore, runningName, staleMs } from "../live/liveStore.js";
import { loadedFlow } from "./loadedFlow.js";
import { isAlive, processesOf, projectStore, useProject } from "../server/projectStore.js";
import { findRan } from "./findRan.js";
import { digest, ranStore, rememberRan, structureThatRan } from "./ranModels.js";
import { pendingLive, structureOf, type PendingChange } from "./pendingLive.js";

projectStore.subscribe(remember);
projectStore.subscribe(() => void findRan());
documentStore.subscribe(remember);
function remember(): void {
  const { binaries, topologyHash, revision } = projectStore.getState();
  const drawn = documentStore.getState();
  // Only when what is drawn is what the server hashed.
  if (drawn.save.state !== "saved" || drawn.revision !== revision || structureThatRan(topologyHash)) return;
  if (binaries.some((one) => one.topologyHash === topologyHash))
    rememberRan(topologyHash, structureOf(drawn.topology));
}

export type Drawn =
  /** Nothing runs. */
  | "nothing-runs"
  /** What runs is what is drawn. */
  | "same"
  /** They differ only in what can be applied live (or has been). */
  | "live"
  /** A build is needed to bring them together. */
  | "rebuild";

const hashes = new WeakMap<Topology, string>();

/** The hash of what is drawn now. The server says that of what is saved, some moments after an edit and after a save. */
export function drawnHash(topology: Topology): string {
  const known = hashes.get(topology);
  if (known !== undefined) return known;
  const hash = topologyHash(topology);
  hashes.set(topology, hash);
  return hash;
}

/** How the drawing stands to the running binaries. */
export function useDrawnState(): Drawn {
  const topology = useDocument((state) => state.topology);
  const binaries = useProject((state) => state.binaries);
  const ran = useStore(ranStore, (state) => state.ran);
  return useMemo(() => {
    const running = binaries.filter((one) => isAlive(one) && one.topologyHash);
    if (running.length === 0) return "nothing-runs";
    if (running.every((one) => one.topologyHash === drawnHash(topology))) return "same";
    const structure = digest(structureOf(topology));
    return running.every((one) => ran.get(one.topologyHash ?? "") === structure) ? "live" : "rebuild";
  }, [topology, binaries, ran]);
}

let kept:
  | {
      topology: unknown;
      binaries: unknown;
      schemas: unknown[];
      loaded: string | null;
      changes: PendingChange[];
    }
  | undefined;

function readPending(): PendingChange[] {
  const { topology } = documentStore.getState();
  // Counts change only with a new schema, so its identity says whether to look again.
  const schemas = topology.binaries.map((binary) => {
    const track = findTrack(binary.name);
    return track && staleMs(track) === 0 ? track.schema : null;
  });
  const project = projectStore.getState();
  const { binaries } = project;
  const loaded = loadedFlow(project);
  if (
    kept?.topology === topology &&
    kept.binaries === binaries &&
    kept.loaded === loaded &&
    kept.schemas.length === schemas.length &&
    schemas.every((s, i) => s === kept?.schemas[i])
  )
    return kept.changes;
  // A load has set the rate of its flow for a while and gives it back: nobody drew that.
  const changes = pendingLive(
    topology,
    (binary) => fresh(binary)?.schema ?? undefined,
    (binary) => processesOf(project, runningName(binary) ?? ""),
  ).filter(({ change }) => change.of !== "rate" || change.flow !== loaded);
  kept = { topology, binaries, schemas, loaded, changes };
  return changes;
}
const fresh = (binary: string) => {
  const track = findTrack(binary);
  return track && staleMs(track) === 0 ? track : undefined;
};

const subscribeBoth = (listener: () => void) => {
  const live = liveStore.subscribe(listener);
  const drawn = documentStore.subscribe(listener);
  return () => {
    live();
    drawn();
  };
};

/** Drawn changes that the running binaries can take at once. */
export const usePendingLive = (): PendingChange[] =>
  useSyncExternalStore(subscribeBoth, readPending, readPending);
