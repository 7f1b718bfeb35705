import { createHash } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** The user who runs the binaries; elsewhere than on Linux there is none, and nothing runs. */
const user = (): number => process.getuid?.() ?? 0;

/** Whoever became another user has the runtime folder of the one before. */
function isOwn(folder: string): boolean {
  const about = statSync(folder, { throwIfNoEntry: false });
  return about?.isDirectory() === true && about.uid === user();
}

/**
 * Where the binaries of a project find each other on this host: `PENSTOCK_RUN`, or a part of the user's runtime
 * folder. Short, as the name of a socket has 108 bytes. `projectDir` is a real path.
 */
export function runFolder(projectDir: string, env: NodeJS.ProcessEnv = process.env): string {
  const told = env["PENSTOCK_RUN"];
  if (told !== undefined && told !== "") return told;
  const runtime = env["XDG_RUNTIME_DIR"] ?? "";
  const own = isAbsolute(runtime) && isOwn(runtime) ? join(runtime, "penstock") : `/tmp/penstock-${user()}`;
  return join(own, createHash("sha256").update(projectDir).digest("hex").slice(0, 16));
}

/** The same, made, so that a fence can open it. Who may look into it the binaries check themselves. */
export function madeRunFolder(projectDir: string): string {
  const folder = runFolder(projectDir);
  for (const path of [dirname(folder), folder]) {
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch {
      // It is there, or a binary that needs it says why it cannot be.
    }
  }
  return folder;
}
