/** Keys that the format has set aside for a later version. */
const BINARY_LATER: ReadonlySet<string> = new Set(["expose", "discovery"]);

/** True when `key` of the object at `path` (`["binaries", 0]`) is set aside: refused with a code of its own. */
export const isLaterKey = (path: readonly PropertyKey[], key: string): boolean =>
  path.length === 2 && typeof path[1] === "number" && path[0] === "binaries" && BINARY_LATER.has(key);
