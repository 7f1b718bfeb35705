import { join } from "node:path";
import { ConfinedFolder } from "../../disk/index.js";
import type { SandboxOptions } from "../../process/index.js";
import { madeRunFolder } from "./runFolder.js";

/** What a fenced binary may write of its project: nothing that is built into, read or run outside its fence. */
const DATA_FOLDER = "build/data";

/**
 * The fence of a binary whose project came from elsewhere. `projectDir` is a real path; its `build/data` is made.
 * Throws a WriteRefusal when a link is in that place.
 */
export function binaryFence(projectDir: string): SandboxOptions {
  ConfinedFolder.within(projectDir, (project) => project.ensureFolder(DATA_FOLDER));
  const run = madeRunFolder(projectDir);
  return {
    readable: [projectDir],
    writable: [join(projectDir, DATA_FOLDER), ...(run === undefined ? [] : [run])],
    network: true,
  };
}
