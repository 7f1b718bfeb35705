import { EXIT } from "./exitCode.js";

/** The terminal sends a Ctrl-C to each of its processes, and npm sends on to us what it got. */
const SAME_MS = 500;

let verb: AbortController | undefined;

/**
 * Aborted by the first SIGINT, SIGTERM or SIGHUP, so that a verb can stop gracefully; a second one
 * ends the process at once.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function interruptSignal(now: () => number = () => performance.now()): AbortSignal {
  const controller = new AbortController();
  verb = controller;
  let firstAt: number | undefined;
  const onSignal = (): void => {
    if (firstAt !== undefined && now() - firstAt >= SAME_MS) process.exit(EXIT.interrupted);
    firstAt ??= now();
    controller.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  return controller.signal;
}

/** Stops the verb as a signal does; false: it has not begun. */
export function interrupt(): boolean {
  verb?.abort();
  return verb !== undefined;
}

/** Resolves when the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
