import { useMemo, useSyncExternalStore } from "react";
import type {
  LinkFigures,
  PoolFigures,
  ProcessFigures,
  ServiceFigures,
  ThreadFigures,
} from "./figures/figures.js";
import { poolPressure, type Pressure } from "./bottleneck/pressure.js";
import type { BinaryTrack } from "./track/binaryTrack.js";
import { allTracks, findTrack, isHeard, liveStore, staleMs, trackOfService } from "./liveStore.js";

/** Words for people need no more than this many updates a second. */
const READ_EVERY_MS = 250;

/**
 * A slice of the live figures as a component reads it: at most four times a second and copied,
 * because tracks are changed in place. For many small figures use LiveFigure, which costs no
 * render at all.
 */
export function sliced<T>(read: () => T | null): () => T | null {
  let at = Number.NEGATIVE_INFINITY;
  let seen = -1;
  let value: T | null = null;
  return () => {
    const { version } = liveStore.getState();
    if (version === seen) return value;
    const current = read();
    const now = performance.now();
    // That there are none any more is the last word: nothing comes after it that could be read in its place.
    if (current === null || now - at >= READ_EVERY_MS) {
      at = now;
      seen = version;
      value = current === null ? null : structuredClone(current);
    }
    return value;
  };
}

export const useSlice = <T>(slice: () => T | null): T | null =>
  useSyncExternalStore(liveStore.subscribe, slice, slice);

export function useServiceFigures(service: string): ServiceFigures | null {
  return useSlice(
    useMemo(() => sliced(() => trackOfService(service)?.services.get(service)?.figures ?? null), [service]),
  );
}

export function usePoolFigures(binary: string, pool: string): PoolFigures | null {
  return useSlice(
    useMemo(() => sliced(() => findTrack(binary)?.pools.get(pool)?.figures ?? null), [binary, pool]),
  );
}

export function useThreadFigures(binary: string, pool: string, index: number): ThreadFigures | null {
  return useSlice(
    useMemo(
      () => sliced(() => findTrack(binary)?.pools.get(pool)?.figures.threads[index] ?? null),
      [binary, pool, index],
    ),
  );
}

/** The links of a running binary to another one that it calls. */
export function useLinkFigures(from: string, to: string): LinkFigures | null {
  return useSlice(useMemo(() => sliced(() => findTrack(from)?.links.to(to) ?? null), [from, to]));
}

export function useProcessFigures(binary: string): ProcessFigures | null {
  return useSlice(useMemo(() => sliced(() => findTrack(binary)?.process ?? null), [binary]));
}

/** Of all binaries that run: the memory that they hold together, and the version of the runtime that they have. */
export function useMachineFigures(): Pick<ProcessFigures, "rssBytes" | "runtime"> | null {
  return useSlice(useMemo(() => sliced(readMachine), []));
}

function readMachine(): Pick<ProcessFigures, "rssBytes" | "runtime"> | null {
  // What one holds of which nothing has come for a while is not known; mostly it has ended.
  const fresh = [...allTracks()].filter((track) => staleMs(track) === 0);
  const processes = fresh.flatMap(({ process }) => process ?? []);
  const [first] = processes;
  if (first === undefined) return null;
  return { rssBytes: processes.reduce((sum, one) => sum + one.rssBytes, 0), runtime: first.runtime };
}

const isStale = (track: BinaryTrack | undefined): boolean => track !== undefined && staleMs(track) > 0;

/** Nothing has been heard of a binary for a while: its figures are the last known ones. */
export const useStale = (binary: string): boolean =>
  useSyncExternalStore(liveStore.subscribe, () => isStale(findTrack(binary)));

/** Nothing has been heard of the binary that runs a service for a while. */
export const useServiceStale = (service: string): boolean =>
  useSyncExternalStore(liveStore.subscribe, () => isStale(trackOfService(service)));

/** What waits for a pool of a running binary, or for a thread of it, in a colour; "" while it is well, or not known. */
export function usePoolPressure(binary: string, pool: string, thread?: number): Pressure {
  const pressure = useSlice(
    useMemo(
      () =>
        sliced(() => {
          const track = findTrack(binary);
          const figures = isStale(track) ? undefined : track?.pools.get(pool)?.figures;
          return figures ? poolPressure(figures, liveStore.getState().bottlenecks, thread) : null;
        }),
      [binary, pool, thread],
    ),
  );
  return pressure ?? "";
}

/** Whether a binary takes commands, as `applyLive` sees it. */
export const useHeard = (binary: string): boolean =>
  useSyncExternalStore(liveStore.subscribe, () => isHeard(binary));

/** Why a binary whose last figures are shown takes no change now; undefined: it does. */
export const useUnheard = (binary: string): string | undefined =>
  useSyncExternalStore(liveStore.subscribe, () => unheard(binary));

function unheard(binary: string): string | undefined {
  const track = findTrack(binary);
  if (!track?.lost) return undefined;
  return track.ended
    ? `${binary} has ended.`
    : `The connection to ${binary} is lost: it takes no change until it is back.`;
}

/** How many events (and calls) of 128 a running binary samples, as it says itself. */
export function useSampling(binary: string): number | null {
  return useSlice(useMemo(() => sliced(() => findTrack(binary)?.schema?.sampling ?? null), [binary]));
}

/** Share of each CPU used by threads seen on it of what is heard of, 0 to 1, by CPU number. */
export function useCpuLoad(): ReadonlyMap<number, number> | null {
  return useSlice(useMemo(() => sliced(readCpuLoad), []));
}

function readCpuLoad(): Map<number, number> {
  const load = new Map<number, number>();
  for (const track of allTracks()) {
    if (staleMs(track) > 0) continue;
    const processes = track.process?.processes ?? 1;
    for (const { figures } of track.pools.values())
      for (const { cpu, cpuShare, actual } of figures.threads) {
        if (cpu < 0 || Number.isNaN(cpuShare)) continue;
        // A share is the mean of all processes. Where the threads of the others are is known of those that are pinned.
        const used = actual.length === 1 ? cpuShare * processes : cpuShare;
        load.set(cpu, Math.min(1, (load.get(cpu) ?? 0) + used));
      }
  }
  return load;
}
