import { lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** The user who runs the binaries; elsewhere than on Linux there is none, and nothing runs. */
const user = (): number => process.getuid?.() ?? 0;

/** FNV-1a, 64 bits, as a binary makes it of the folder of its configuration (net/remote/discovery/directory.cpp). */
export function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

/** Whoever became another user has the runtime folder of the one before. */
function isOwn(folder: string): boolean {
  const about = statSync(folder, { throwIfNoEntry: false });
  return about?.isDirectory() === true && about.uid === user();
}

const toldFolder = (env: NodeJS.ProcessEnv): string | undefined => env["PENSTOCK_RUN"] || undefined;

/**
 * Where the binaries of a project find each other on this host: `PENSTOCK_RUN`, or a part of the user's runtime
 * folder, the same as a binary that is started by hand finds. Short, as the name of a socket has 107 bytes. `projectDir` is a real path.
 */
export function runFolder(projectDir: string, env: NodeJS.ProcessEnv = process.env): string {
  const told = toldFolder(env);
  if (told !== undefined) return told;
  const runtime = env["XDG_RUNTIME_DIR"] ?? "";
  const own = isAbsolute(runtime) && isOwn(runtime) ? join(runtime, "penstock") : `/tmp/penstock-${user()}`;
  return join(own, hashOf(join(projectDir, "generated/config")));
}

function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It is there, or a binary that needs it says why it cannot be.
  }
}

/** No link, and nobody else enters it: in /tmp anybody may have put something in its place. As binaries ask it, too. */
function isForTheUserAlone(folder: string): boolean {
  const about = lstatSync(folder, { throwIfNoEntry: false });
  return about?.isDirectory() === true && about.uid === user() && (about.mode & 0o077) === 0;
}

/** The same, made, so that a fence can open it; undefined when what is in its place is not this user's alone. */
export function madeRunFolder(projectDir: string): string | undefined {
  const folder = runFolder(projectDir);
  const parent = dirname(folder);
  make(parent);
  // The one around a folder that we are told is whose it is.
  if (toldFolder(process.env) === undefined && !isForTheUserAlone(parent)) return undefined;
  make(folder);
  return isForTheUserAlone(folder) ? folder : undefined;
}
