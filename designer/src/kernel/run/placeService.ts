import { DEFAULT_POOL, isThreadRange, threadName } from "@penstock/codegen/topology";
import { place } from "../document/edits/binaries.js";
import { documentStore, edit, select } from "../document/index.js";

/** Places the calls to a service on a pool, or on one thread of it. */
export function placeService(
  binary: string,
  service: string,
  pool: string,
  thread: number | undefined,
): void {
  const threads =
    documentStore
      .getState()
      .topology.binaries.find((item) => item.name === binary)
      ?.pools.find((item) => item.name === pool)?.threads ?? [];
  // A thread that comes and goes is nobody's place.
  const whole = pool === DEFAULT_POOL || isThreadRange(threads) || threads.length < 2;
  const label = `Place ${service} on ${thread === undefined || whole ? pool : threadName(pool, thread)}`;
  edit(label, (model) =>
    place(model, binary, service, {
      // Nothing said is the built-in pool: the document stays short.
      pool: pool === DEFAULT_POOL ? undefined : pool,
      thread: whole ? undefined : thread,
    }),
  );
  select(`service:${service}`);
}
