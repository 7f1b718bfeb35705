import { MOST_THREADS } from "@penstock/codegen/topology";
import { formatMicros, formatRate, words } from "../figures/format.js";
import type { PoolWork } from "./poolWork.js";

/** What comes to a pool, and how long each of it keeps a thread. */
export interface Demand {
  /** Requests and events a second, those that expired, were skipped or were refused as well, and what piles up. */
  arrivals: number;
  /** Microseconds that one runs: its wait in the queue is not among them. NaN: not known. */
  runMicros: number;
  /** Callers are held up by the full queue: what they would send is not seen. */
  heldUp: boolean;
  /** It is the mean of things that run for different times. */
  ofSeveral?: boolean;
}

export interface Remedy {
  threads: number;
  /** How the number was come by, for the card. */
  how: string;
}

/**
 * Threads for what arrives. On average arrivals x run time of them are busy (Little's law: J. D. C. Little, "A proof
 * for the queuing formula L = lambda W", 1961); with no more than that a queue never drains, so the square root of
 * it is added (square-root staffing with beta 1: Halfin and Whitt, "Heavy-traffic limits for queues with many
 * exponential servers", 1981), with which about one request of five waits, and not for long.
 */
export function threadsFor(demand: Demand, now: number): Remedy {
  const { heldUp } = demand;
  const busy = busyWith(demand);
  const known = busy > 0;
  const enough = known ? Math.ceil(busy + Math.sqrt(busy)) : 0;
  // Where arrivals cannot be seen, double and look again.
  const least = heldUp || !known ? 2 * now : now + 1;
  const threads = Math.min(MOST_THREADS, Math.max(enough, least));
  if (!known) return { threads, how: "What arrives is not known: twice as many, then look again." };
  const sum = sumWords(demand, busy);
  const held = heldUp ? " Callers are held up, so more may come than is seen." : "";
  if (threads <= busy)
    return { threads, how: `${sum}: more than the ${MOST_THREADS} a pool can have.${held}` };
  return {
    threads,
    how: `${sum}, + ${inWords(threads - (busy < 10 ? oneDigit(busy) : Math.round(busy)))} margin.${held}`,
  };
}

/** Threads at work on average; 0: it is not known what arrives, or how long it runs. */
const busyWith = ({ arrivals, runMicros }: Demand): number => {
  const busy = (arrivals * runMicros) / 1e6;
  return Number.isFinite(busy) ? busy : 0;
};

function sumWords({ arrivals, runMicros, ofSeveral = false }: Demand, busy: number): string {
  const each = `${words(formatMicros(runMicros))}${ofSeveral ? " (mean of all)" : ""}`;
  return `${words(formatRate(arrivals))} × ${each} = ${inWords(busy)} busy on average`;
}

/** A thread of a pool that something is placed on alone. */
export interface OneThread {
  index: number;
  /** The other threads of the pool, with the share of the time that each is at work. */
  others: readonly { index: number; load: number }[];
}

export const ONE_AT_A_TIME =
  "Single-threaded services run one at a time: partition them or make the handler quicker.";

/**
 * Another place for what holds a thread (`work`, the heaviest first) while others of its pool have room: all of the
 * pool, or for what runs one at a time and shares its thread with more the thread that has most room.
 */
export function placeFor(
  { pool, exclusive }: { pool: string; exclusive: ReadonlySet<string> },
  { others }: OneThread,
  work: readonly PoolWork[],
  demand: Demand,
): { place?: { service: string; thread?: number }; how: string; advice: string } {
  const [heaviest] = work;
  const service = heaviest?.placed?.service;
  if (!heaviest || service === undefined) return { how: "", advice: "" };
  const placed =
    heaviest.service === service
      ? `${service} is placed`
      : `${service}, behind which ${heaviest.service} runs, is placed`;
  const busy = busyWith(demand);
  const how = busy > 0 ? `${sumWords(demand, busy)}; ${pool} has ${others.length + 1} threads.` : "";
  if (!exclusive.has(heaviest.service))
    return {
      place: { service },
      how,
      advice: `${placed} on this thread alone, though any thread of ${pool} could run it.`,
    };
  const [roomiest] = others.toSorted((a, b) => a.load - b.load);
  if (!roomiest || work.every((one) => one.placed?.service === service))
    return { how: "", advice: ONE_AT_A_TIME };
  return {
    place: { service, thread: roomiest.index },
    how,
    advice: `${placed} on this thread, and so is other work that it holds up.`,
  };
}

const oneDigit = (value: number): number => Math.round(value * 10) / 10;
const inWords = (value: number): string =>
  value < 10 && !Number.isInteger(oneDigit(value)) ? oneDigit(value).toFixed(1) : String(Math.round(value));
