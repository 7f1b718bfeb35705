import { chmod, mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Where Penstock keeps what belongs to this user and no project: tokens, the list of running
 * servers and binaries, trust, audit logs. `$XDG_STATE_HOME/penstock`, else `~/.local/state/penstock`.
 */
export function stateDir(): string {
  const xdg = process.env["XDG_STATE_HOME"];
  return join(xdg && isAbsolute(xdg) ? xdg : join(homedir(), ".local", "state"), "penstock");
}

/** Makes (mode 0700, also when it was there already) and returns a folder below the state folder. */
export async function makeStateDir(...path: string[]): Promise<string> {
  const root = stateDir();
  const folder = join(root, ...path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(root, 0o700);
  await chmod(folder, 0o700);
  return folder;
}
