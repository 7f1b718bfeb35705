/** Bytes of a drawing's file, at most: what a save, an import or a project from elsewhere may bring. */
export const LARGEST_DRAWING = 5_000_000;

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

/** The greatest port; 0, where it may be said, is any free one. */
export const LAST_PORT = 65_535;

/** Bounds of an int32, which numbers of enums and weights of implementations are. */
export const LEAST_INT32 = -(2 ** 31);
export const GREATEST_INT32 = 2 ** 31 - 1;

/** Greatest deadline of a service, in milliseconds. */
export const LONGEST_DEADLINE_MS = 2 ** 31 - 1;

// The binary checks what follows once more as it starts and at each command: `penstock/base/limits.hpp`.

/** Greatest limit of a binary's watchdog, in milliseconds; 0: it reports nothing. */
export const LONGEST_WATCH_MS = 3_600_000;
/** Where a topology says none. */
export const DEFAULT_WATCH_MS = 5000;

/** Silence after which a binary asks another one whether it is there, or takes it for lost, in milliseconds. */
export const SHORTEST_SILENCE_MS = 10;
export const LONGEST_SILENCE_MS = 3_600_000;
/** Where a topology says nothing of a binary's links. */
export const DEFAULT_LIVENESS = { pingMs: 1000, lostMs: 3000, hostLostMs: 20_000 } as const;
/** What its form calls them, for words about them. */
export const LIVENESS_LABELS = {
  pingMs: "Ask each",
  lostMs: "Lost after",
  hostLostMs: "Host lost after",
} as const;

/** Threads of a pool, at most. */
export const MOST_THREADS = 1024;

/** Processes of a binary that one run starts, at most. */
export const MOST_REPLICAS = 64;

/** The greatest id of a CPU. */
export const LAST_CPU = 1023;

/** Nice levels of a pool's threads: the first is served before the others. */
export const FIRST_NICE = -20;
export const LAST_NICE = 19;

/** Calls or events that may wait in a queue, at most. */
export const LONGEST_QUEUE = 1_048_576;
/** Where a topology says nothing. */
export const DEFAULT_QUEUE = 1024;

/** Events a second, at most: of a source, of a rule's threshold and of a load. */
export const FASTEST_RATE = 1_000_000_000;

/** How long whoever asks over HTTP is kept waiting, at most, in milliseconds. */
export const LONGEST_TIMEOUT_MS = 3_600_000;
/** What an HTTP source may be told to take in one body, in bytes, at most. */
export const LARGEST_BODY = 16_777_216;

/** Seconds that a rate has to hold before a rule acts, at most. */
export const LONGEST_HOLD_S = 3600;
/** Where a rule says nothing. */
export const DEFAULT_HOLD_S = 5;

// Of messages, which are C++ types: no binary reads them.

/** Elements of a fixed array, at most. */
export const LONGEST_ARRAY = 65_536;

/** The greatest tag of a field, as protobuf has it. */
export const LAST_TAG = 2 ** 29 - 1;
