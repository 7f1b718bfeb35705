/** Sizes that a document may have, checked in the browser, the server and the command line alike. */
export const LIMITS = {
  /** Services and stages together. */
  nodes: 10_000,
  /** Calls and links between stages together. */
  edges: 50_000,
  /** Characters of a name. */
  nameLength: 64,
  /** Bytes of UTF-8 of any text. */
  textBytes: 4096,
} as const;

/** Greatest limit of a binary's watchdog, in milliseconds; 0: it reports nothing. */
export const LONGEST_WATCH_MS = 3_600_000;

/** Threads of a pool, at most. */
export const MOST_THREADS = 1024;

/** The greatest tag of a field, as protobuf has it. */
export const LAST_TAG = 2 ** 29 - 1;
