const COLORS = {
  simple: "var(--pool-1)",
  "single-threaded": "var(--pool-6)",
  "sync-remote": "var(--pool-2)",
  "async-remote": "var(--pool-3)",
  "side-effect": "var(--text-2)",
  catch: "var(--bad)",
  rate: "var(--accent)",
  http: "var(--accent)",
  file: "var(--accent)",
  service: "var(--accent)",
  "own-source": "var(--accent)",
  bundle: "var(--text-2)",
  binary: "var(--text-2)",
  pool: "var(--text-2)",
  message: "var(--pool-5)",
  enum: "var(--pool-4)",
};

export type IconKind = keyof typeof COLORS;

/** CSS colour of a kind, the same on tile, icon and minimap. */
export const kindColor = (kind: IconKind): string => COLORS[kind];
