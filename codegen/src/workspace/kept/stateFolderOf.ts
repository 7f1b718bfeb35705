import { createHash } from "node:crypto";
import { makeStateDir } from "../../process/index.js";

/** This user's own folder for a folder of projects (a real path): trust, audit. Whoever has projects there finds it. */
export const stateFolderOf = (projects: string): Promise<string> =>
  makeStateDir("workspaces", createHash("sha256").update(projects).digest("hex").slice(0, 20));
