import { watch } from "node:fs";
import { makeStateDir } from "../../process/index.js";

/**
 * Tells whenever what is noted of processes may have changed, whoever did it. Gives what ends it, and resolves when
 * it has.
 */
export function watchNotes(changed: () => void): () => Promise<void> {
  // The folder itself changes with every look at it: its mode is set.
  const look = (_: string, name: string | null): void => {
    if (name?.endsWith(".json")) changed();
  };
  const watching = makeStateDir("binaries")
    .then((folder) => watch(folder, look).on("error", () => undefined))
    // Without it (no watch is left on this machine) it is read when a project is opened.
    .catch(() => undefined);
  return () => watching.then((watcher) => watcher?.close());
}
