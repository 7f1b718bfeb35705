import { spawnSync } from "node:child_process";

/** renameat2(2) with RENAME_EXCHANGE, which Node has no call for; Perl is part of every Debian. */
const RENAMEAT2: Partial<Record<NodeJS.Architecture, number>> = { x64: 316, arm64: 276 };

/**
 * Lets two folders change places in one step of the file system: whoever looks sees either both old
 * or both new. False when this machine cannot (no Perl, another processor, an old file system); the
 * caller then renames twice, and its journal covers the moment between.
 * @param folder absolute path of the folder that holds both
 */
export function exchange(folder: string, one: string, other: string): boolean {
  const call = RENAMEAT2[process.arch];
  if (call === undefined) return false;
  const program = "exit(syscall($ARGV[0] + 0, -100, $ARGV[1], -100, $ARGV[2], 2) == 0 ? 0 : 9)";
  const result = spawnSync("perl", ["-e", program, String(call), one, other], {
    cwd: folder,
    stdio: "ignore",
    timeout: 5_000,
  });
  return result.status === 0;
}
