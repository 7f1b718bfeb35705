import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const { O_NONBLOCK, O_RDONLY } = constants;

/** Where `penstock keys` puts the keys of a project's binaries, and where they read them: `PENSTOCK_KEYS` says another folder. */
export const KEYS_FOLDER = "keys";

/** Where the binaries of a project read their keys. */
export function keysFolder(projectDir: string, env: NodeJS.ProcessEnv = process.env): string {
  const told = env["PENSTOCK_KEYS"];
  return told === undefined || told === "" ? join(projectDir, KEYS_FOLDER) : told;
}

/** A certificate with those behind it, a key and a file of tokens are smaller by far. */
const MOST_BYTES = 1024 * 1024;

/**
 * What a file of keys or tokens holds; undefined where there is none that can be read. In a project that came from elsewhere it
 * may be anything: a pipe or a device is not waited for.
 */
export function readKeyFile(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, O_RDONLY | O_NONBLOCK);
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The certificate of the authority that `penstock keys` made; undefined where there is none that can be read. */
export const readAuthority = (projectDir: string): Buffer | undefined =>
  readKeyFile(join(resolve(projectDir, keysFolder(projectDir)), "ca.crt"));
