import { basename, dirname } from "node:path";
import { ConfinedFolder } from "./confinedFolder.js";

/**
 * Puts a text in the place of a file in a folder of ours, or makes it: afterwards, and after any crash, it is the
 * old file or the new one.
 */
export const replaceFile = (path: string, text: string, mode = 0o644): Promise<void> =>
  ConfinedFolder.within(dirname(path), (folder) =>
    folder.replace(basename(path), text, { mode, durable: true }),
  );
