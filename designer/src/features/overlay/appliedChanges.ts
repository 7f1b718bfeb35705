import { createStore } from "zustand/vanilla";
import type { Bottleneck } from "../../kernel/live/bottleneck/bottleneck.js";
import { changeEffect, effectWords, type Second } from "./changeEffect.js";
import { liveStore, trackRunning } from "../../kernel/live/liveStore.js";
import { curvesOf } from "../../kernel/live/metricsTarget.js";

/** A remedy that was taken, and where what it did is seen: the stage or service that held the threads. */
export interface AppliedChange extends Pick<Bottleneck, "binary" | "pool" | "services" | "stages"> {
  from: number;
  to: number;
  /** When it was asked for, milliseconds since the epoch. */
  atMs: number;
  /** When the process had begun that was asked: of another one it says nothing. */
  startedAtMs: number;
}

/** When the process began that a binary's figures are of; 0: there are none. */
export const startOf = (binary: string): number => trackRunning(binary)?.schema?.startedAtMs ?? 0;

/** The last remedy of each pool, until it is taken back, closed, or somebody else sizes the pool. */
export const appliedStore = createStore<{ applied: readonly AppliedChange[] }>(() => ({ applied: [] }));

const samePool = (one: Pick<AppliedChange, "binary" | "pool">) => (other: AppliedChange) =>
  one.binary === other.binary && one.pool === other.pool;

export const forgetChange = (change: Pick<AppliedChange, "binary" | "pool">): void =>
  appliedStore.setState(({ applied }) => ({ applied: applied.filter((other) => !samePool(change)(other)) }));

export function rememberChange(change: AppliedChange): void {
  forgetChange(change);
  appliedStore.setState(({ applied }) => ({ applied: [...applied, change] }));
}

/** A new number is told by the binary itself some samples later. */
const TOLD_MS = 3000;

/** Whether the process that was asked still runs, and its pool has the threads that it was given. */
export function isInForce(change: AppliedChange, now = Date.now()): boolean {
  const { binary, pool, to, atMs, startedAtMs } = change;
  const track = trackRunning(binary);
  if (!track || track.ended || startOf(binary) !== startedAtMs) return false;
  const count = track.pools.get(pool)?.figures.each;
  return count !== undefined && (count === to || now - atMs < TOLD_MS);
}

const refOf = ({ services, stages }: AppliedChange): string => {
  const [stage] = stages;
  return stage ? `stage:${stage.flow}/${stage.id}` : `service:${services[0] ?? ""}`;
};

function secondsOf(ref: string): Second[] {
  const found = curvesOf(ref);
  if (!found) return [];
  const { times } = found.track;
  const { rate, p50, p99 } = found.series;
  // Curves that began later than the times are aligned by their end.
  const late = times.length - rate.length;
  return Array.from({ length: rate.length }, (_, index) => ({
    at: times.at(index + late),
    rate: rate.at(index),
    p50: p50.at(index),
    p99: p99.at(index),
  }));
}

/** What a change did, before and after, in parts of a line; null until enough has been seen since. */
export function effectOf(change: AppliedChange): string[] | null {
  const before = liveStore
    .getState()
    .marks.findLast(({ binary, atMs }) => binary === change.binary && atMs < change.atMs);
  const effect = changeEffect(secondsOf(refOf(change)), change.atMs / 1000, (before?.atMs ?? 0) / 1000);
  if (!effect) return null;
  const [rate = "", ...latencies] = effectWords(effect);
  return [`${change.services[0] ?? change.pool}: ${rate}`, ...latencies];
}
