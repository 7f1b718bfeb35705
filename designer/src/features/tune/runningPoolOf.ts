import { parseNodeRef } from "@penstock/codegen/topology";
import { findTrack, trackOfFlow, trackOfService } from "../../kernel/live/liveStore.js";

/** The pool that a selected pool, stage or service runs on; undefined while it does not run. */
export function runningPoolOf(ref: string): { binary: string; pool: string } | undefined {
  const parsed = parseNodeRef(ref);
  const [first = "", second = ""] = parsed?.path ?? [];
  if (parsed?.kind === "pool")
    return findTrack(first)?.pools.has(second) ? { binary: first, pool: second } : undefined;
  if (parsed?.kind === "stage") {
    const track = trackOfFlow(first);
    const stage = track?.flows.get(first)?.figures.stages.find(({ id }) => id === second);
    return track && stage?.runsOn ? { binary: track.binary, pool: stage.runsOn } : undefined;
  }
  if (parsed?.kind !== "service") return undefined;
  const track = trackOfService(first);
  const pool = track?.services.get(first)?.figures.pool;
  return track && pool ? { binary: track.binary, pool } : undefined;
}
