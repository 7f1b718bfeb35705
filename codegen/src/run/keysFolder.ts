import { join, resolve } from "node:path";
import { readSmall } from "../disk/index.js";

/** Where `penstock keys` puts the keys of a project's binaries, and where they read them: `PENSTOCK_KEYS` says another folder. */
export const KEYS_FOLDER = "keys";

/** Where the binaries of a project read their keys. */
export function keysFolder(projectDir: string, env: NodeJS.ProcessEnv = process.env): string {
  const told = env["PENSTOCK_KEYS"];
  return told === undefined || told === "" ? join(projectDir, KEYS_FOLDER) : told;
}

/** A certificate with those behind it, a key and a file of tokens are smaller by far. */
const MOST_BYTES = 1024 * 1024;

/** What a file of keys or tokens holds; undefined where there is none that can be read. */
export const readKeyFile = (path: string): Buffer | undefined => readSmall(path, MOST_BYTES);

/** The certificate of the authority that `penstock keys` made; undefined where there is none that can be read. */
export const readAuthority = (projectDir: string): Buffer | undefined =>
  readKeyFile(join(resolve(projectDir, keysFolder(projectDir)), "ca.crt"));
