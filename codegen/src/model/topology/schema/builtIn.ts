import { DEFAULT_QUEUE } from "./limits.js";
import type { Message, Pool } from "./schema.js";
import type { Thread } from "./threads.js";

/** Name of the built-in message that a `catch` takes. */
export const FAILURE = "Failure";

/** The built-in message as a topology would say it, for forms and hints. */
export const FAILURE_MESSAGE: Message = {
  name: FAILURE,
  fields: [
    { name: "code", type: "int32", tag: 1 },
    { name: "message", type: "string", tag: 2 },
    { name: "flow", type: "string", tag: 3 },
    { name: "stage", type: "string", tag: 4 },
  ],
};

/** Name of the pool that every binary has: one thread for each CPU unless it is listed. */
export const DEFAULT_POOL = "default";

/** A pool of which nothing is drawn but its threads. */
export const plainPool = (name: string, threads: readonly Thread[]): Pool => ({
  name,
  threads: [...threads],
  idle: "adaptive",
  priority: 0,
  queue: DEFAULT_QUEUE,
  overflow: "block",
});

/** Stands for the source of a flow where a stage could stand: no stage has an empty id. */
export const SOURCE_INPUT = "";
