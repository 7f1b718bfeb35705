import { MOST_THREADS } from "@penstock/codegen/topology";
import { formatMicros, formatRate, words } from "../figures/format.js";

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
export function threadsFor({ arrivals, runMicros, heldUp, ofSeveral = false }: Demand, now: number): Remedy {
  const busy = (arrivals * runMicros) / 1e6;
  const known = Number.isFinite(busy) && busy > 0;
  const enough = known ? Math.ceil(busy + Math.sqrt(busy)) : 0;
  // Where arrivals cannot be seen, double and look again.
  const least = heldUp || !known ? 2 * now : now + 1;
  const threads = Math.min(MOST_THREADS, Math.max(enough, least));
  if (!known) return { threads, how: "What arrives is not known: twice as many, then look again." };
  const each = `${words(formatMicros(runMicros))}${ofSeveral ? " (mean of all)" : ""}`;
  const sum = `${words(formatRate(arrivals))} × ${each} = ${inWords(busy)} busy on average`;
  const held = heldUp ? " Callers are held up, so more may come than is seen." : "";
  if (threads <= busy)
    return { threads, how: `${sum}: more than the ${MOST_THREADS} a pool can have.${held}` };
  return {
    threads,
    how: `${sum}, + ${inWords(threads - (busy < 10 ? oneDigit(busy) : Math.round(busy)))} margin.${held}`,
  };
}

const oneDigit = (value: number): number => Math.round(value * 10) / 10;
const inWords = (value: number): string =>
  value < 10 && !Number.isInteger(oneDigit(value)) ? oneDigit(value).toFixed(1) : String(Math.round(value));
