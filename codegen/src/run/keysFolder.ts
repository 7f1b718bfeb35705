import { join } from "node:path";

/** Where `penstock keys` puts the keys of a project's binaries, and where they read them: `PENSTOCK_KEYS` says another folder. */
export const KEYS_FOLDER = "keys";

/** Where the binaries of a project read their keys. */
export function keysFolder(projectDir: string, env: NodeJS.ProcessEnv = process.env): string {
  const told = env["PENSTOCK_KEYS"];
  return told === undefined || told === "" ? join(projectDir, KEYS_FOLDER) : told;
}
