import { unwatchFile, watch, watchFile, type Stats } from "node:fs";

const LOOK_MS = 1_000;

/** Looks at the folder every second, where no watch is left on this machine. */
function lookAgain(folder: string, changed: () => void): () => void {
  // Its mode may be set with every look at it, which is no change of what is in it.
  const look = (now: Stats, before: Stats): void => {
    if (now.mtimeMs !== before.mtimeMs) changed();
  };
  watchFile(folder, { interval: LOOK_MS, persistent: false }, look);
  return () => unwatchFile(folder, look);
}

/**
 * Tells whenever a file of the folder may have changed whose name is looked for, whoever did it. Gives what ends it. Keeps no
 * process from ending.
 */
export function watchFolder(
  folder: string,
  isLookedFor: (name: string) => boolean,
  changed: () => void,
  watching: typeof watch = watch,
): () => void {
  const look = (_: string, name: string | null): void => {
    if (name !== null && isLookedFor(name)) changed();
  };
  try {
    const watcher = watching(folder, { persistent: false }, look).on("error", () => undefined);
    return () => watcher.close();
  } catch {
    return lookAgain(folder, changed);
  }
}
