import { formatDuration } from "../figures/format.js";
import { WINDOW_MS, type Bottleneck } from "./bottleneck.js";

/** What is seen of a binary's links to another one at once. */
export interface LinkObservation {
  atMs: number;
  /** Connections that stand. */
  open: number;
  /** Calls that no process there takes yet. */
  waiting: number;
}

export interface LinkHistory {
  binary: string;
  /** The binary that is called. */
  to: string;
  /** Its figures are known here: that no pool of it is one means something. */
  isKnown: boolean;
  /** How many of its processes do not answer, and of how many. */
  silent: { processes: number; of: number };
  /** The pools there that run what is called, as far as they are known. */
  pools: readonly string[];
  /** Oldest first. */
  observations: readonly LinkObservation[];
  /** As of a pool. */
  changedAtMs: number;
  /** Those there that are called, or run as stages. */
  services: readonly string[];
  stages: Bottleneck["stages"];
}

const holdsUp = ({ open, waiting }: LinkObservation): boolean => open > 0 && waiting > 0;

/**
 * Names the way to another binary as the bottleneck: for the last five seconds calls waited for a process there to take
 * them, although some are reached. Null when it is not (or not yet known). Where a pool over there is one, that is why.
 */
export function findLinkBottleneck(history: LinkHistory): Bottleneck | null {
  const observations = history.observations.filter(({ atMs }) => atMs >= history.changedAtMs);
  const last = observations.at(-1);
  if (!last) return null;
  const recent = observations.filter(({ atMs }) => last.atMs - atMs <= WINDOW_MS);
  if (recent.length < 4 || last.atMs - recent[0]!.atMs < WINDOW_MS - 1500) return null;
  if (!recent.every(holdsUp)) return null;
  const from = observations.findLastIndex((look) => !holdsUp(look)) + 1;
  const sinceMs = last.atMs - observations[from]!.atMs;
  const { binary, to, services, stages, silent } = history;
  const hangs = silent.processes > 0;
  const { why, advice } = hangs ? ofSilent(history) : ofFull(history);
  return {
    binary,
    pool: "",
    link: to,
    ...(hangs ? {} : { far: { pools: history.pools, processes: silent.of } }),
    services: [...services],
    stages,
    sinceMs,
    threads: 0,
    queueFill: 0,
    reason: `For ${formatDuration(sinceMs)} calls have waited until a process of ${to} takes them, ${last.waiting} now. ${why}`,
    useThreads: null,
    how: "",
    advice,
  };
}

interface Cause {
  why: string;
  advice: string;
}

/** Calls fill the queues of a process that hangs, and wait: no setting of its pools helps. */
function ofSilent({ to, silent: { processes, of } }: LinkHistory): Cause {
  const who =
    of === 1 ? `${to} does` : `${processes} of its ${of} processes ${processes === 1 ? "does" : "do"}`;
  return { why: `${who} not answer.`, advice: "Its log may say why. Stop ends it, and Run starts it anew." };
}

function ofFull({ isKnown, pools }: LinkHistory): Cause {
  const keepsUp = isKnown ? ", and its pools keep up" : "";
  const queue =
    pools.length === 0
      ? "A longer queue of the pool there"
      : `A longer queue of ${pools.length === 1 ? "the pool" : "the pools"} ${pools.join(", ")} there`;
  return {
    why: `As many as it takes at once are under way${keepsUp}.`,
    advice: `${queue} lets more be under way, and so does another process of it.`,
  };
}
