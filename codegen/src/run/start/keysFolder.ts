import { join, resolve } from "node:path";
import { readSmall } from "../../disk/index.js";

/** Where `penstock keys` puts the keys of a project's binaries, and where they read them: `PENSTOCK_KEYS` says another folder. */
export const KEYS_FOLDER = "keys";

/** Where the binaries of a project read their keys. */
export function keysFolder(projectDir: string, env: NodeJS.ProcessEnv = process.env): string {
  const told = env["PENSTOCK_KEYS"];
  return told === undefined || told === "" ? join(projectDir, KEYS_FOLDER) : told;
}

/** What is to be done instead of `penstock keys` alone, which makes them in the project: where they are kept elsewhere. */
export function keysRemedy(projectDir: string): { help?: string } {
  const folder = keysFolder(projectDir);
  return resolve(projectDir, folder) === join(projectDir, KEYS_FOLDER)
    ? {}
    : {
        help: `Run \`penstock keys\`, and copy what it makes in ${KEYS_FOLDER}/ to ${folder}, which PENSTOCK_KEYS names.`,
      };
}

/** A certificate with those behind it, a key and a file of tokens are smaller by far. */
const MOST_BYTES = 1024 * 1024;

/** What a file of keys or tokens holds; undefined where there is none that can be read. */
export const readKeyFile = (path: string): Buffer | undefined => readSmall(path, MOST_BYTES);

/** The certificate of the authority that `penstock keys` made; undefined where there is none that can be read. */
export const readAuthority = (projectDir: string): Buffer | undefined =>
  readKeyFile(join(resolve(projectDir, keysFolder(projectDir)), "ca.crt"));
