import { unwatchFile, watch, watchFile, type Stats } from "node:fs";
import { join } from "node:path";

const LOOK_MS = 1_000;

/** Looks each second, where no watch is left on this machine. */
function lookAgain(paths: readonly string[], changed: () => void): () => void {
  // The mode of a folder may be set with every look at it, which is no change of what is in it.
  const look = (now: Stats, before: Stats): void => {
    if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) changed();
  };
  for (const path of paths) watchFile(path, { interval: LOOK_MS, persistent: false }, look);
  return () => {
    for (const path of paths) unwatchFile(path, look);
  };
}

/**
 * Tells whenever one of these files of a folder, or with `ending` one that ends so, may have changed, whoever did it. Gives what
 * ends it. Keeps no process from ending; a folder that takes its place is not seen.
 */
export function watchFolder(
  folder: string,
  looked: readonly string[] | { ending: string },
  changed: () => void,
  watching: typeof watch = watch,
): () => void {
  const isLooked = (name: string): boolean =>
    "ending" in looked ? name.endsWith(looked.ending) : looked.includes(name);
  const look = (_: string, name: string | null): void => {
    if (name !== null && isLooked(name)) changed();
  };
  try {
    const watcher = watching(folder, { persistent: false }, look).on("error", () => undefined);
    return () => watcher.close();
  } catch {
    // That a file is written in place is no change of its folder.
    return lookAgain("ending" in looked ? [folder] : looked.map((name) => join(folder, name)), changed);
  }
}
