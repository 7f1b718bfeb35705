import type { watch } from "node:fs";
import { watchFolder } from "../../disk/index.js";
import { makeStateDir } from "../../process/index.js";

/**
 * Tells whenever what is noted of processes may have changed, whoever did it. Gives what ends it, and resolves when
 * it has.
 */
export function watchNotes(changed: () => void, watching?: typeof watch): () => Promise<void> {
  const following = makeStateDir("binaries")
    // The folder itself changes with every look at it: its mode is set.
    .then((folder) => watchFolder(folder, { ending: ".json" }, changed, watching))
    // Without a folder there are no notes.
    .catch(() => undefined);
  return () => following.then((end) => end?.());
}
