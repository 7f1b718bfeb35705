import { unwatchFile, watch, watchFile, type Stats } from "node:fs";
import { makeStateDir } from "../../process/index.js";

const LOOK_MS = 1_000;

/** Looks at the folder every second, where no watch is left on this machine. */
function lookAgain(folder: string, changed: () => void): () => void {
  // Its mode is set with every look at it, which is no change of what is in it.
  const look = (now: Stats, before: Stats): void => {
    if (now.mtimeMs !== before.mtimeMs) changed();
  };
  watchFile(folder, { interval: LOOK_MS, persistent: false }, look);
  return () => unwatchFile(folder, look);
}

function follow(folder: string, changed: () => void, watching: typeof watch): () => void {
  // The folder itself changes with every look at it: its mode is set.
  const look = (_: string, name: string | null): void => {
    if (name?.endsWith(".json")) changed();
  };
  try {
    const watcher = watching(folder, look).on("error", () => undefined);
    return () => watcher.close();
  } catch {
    return lookAgain(folder, changed);
  }
}

/**
 * Tells whenever what is noted of processes may have changed, whoever did it. Gives what ends it, and resolves when
 * it has.
 */
export function watchNotes(changed: () => void, watching: typeof watch = watch): () => Promise<void> {
  const following = makeStateDir("binaries")
    .then((folder) => follow(folder, changed, watching))
    // Without a folder there are no notes.
    .catch(() => undefined);
  return () => following.then((end) => end?.());
}
