import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname } from "node:path";
import { stateDir } from "./stateDir.js";

const BWRAP = "/usr/bin/bwrap";

/** What a sandboxed program may see of the folders that are hidden from it, and where it may write. */
export interface SandboxOptions {
  readable: string[];
  writable: string[];
  /** Keep the host's network (a running binary listens; a compiler has nothing to ask there). */
  network: boolean;
  /** Keep the host's process ids, so that others find its threads in /proc. */
  hostPids: boolean;
  /** It lives on when whoever started it ends. */
  outlives?: boolean;
}

let usable: Promise<string> | null = null;

/**
 * "" when programs can be sandboxed here, else why not. `PENSTOCK_SANDBOX=off` switches it off.
 * Asked once: whether `bwrap` can make its namespaces does not change while we run.
 */
export function sandboxObstacle(): Promise<string> {
  usable ??= new Promise((resolve) => {
    if (process.env["PENSTOCK_SANDBOX"] === "off") return resolve("switched off by PENSTOCK_SANDBOX=off");
    if (!existsSync(BWRAP)) return resolve("bwrap is not installed");
    const probe = sandboxed(["/bin/true"], { readable: [], writable: [], network: false, hostPids: false });
    execFile(probe[0] as string, probe.slice(1), { timeout: 10_000 }, (error, _stdout, stderr) => {
      resolve(error ? `bwrap does not work here: ${stderr.trim() || error.message}` : "");
    });
  });
  return usable;
}

const real = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

/** Folders that hold what is nobody else's business: home, temporary files, our own tokens. */
function hiddenFolders(): string[] {
  const candidates = [tmpdir(), "/tmp", homedir()].map(real);
  return [...new Set(candidates)].filter((path): path is string => path !== undefined && path !== "/");
}

const isBelow = (folder: string, path: string): boolean => path.startsWith(`${folder}/`);

/** Programs installed below a hidden folder (a compiler in a home folder) must stay visible. */
function visiblePrograms(hidden: string[]): string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter).map(real);
  return folders.flatMap((folder) => {
    const below = folder && hidden.find((root) => isBelow(root, folder));
    if (!folder || !below) return [];
    return [isBelow(below, dirname(folder)) ? dirname(folder) : folder];
  });
}

/**
 * `command` in a sandbox: the whole file system read-only, home, state and temporary folders hidden,
 * only `writable` writable, dying with its parent. Paths that do not exist are left out.
 */
export function sandboxed(command: string[], options: SandboxOptions): string[] {
  const hidden = hiddenFolders();
  const args = options.outlives === true ? [] : ["--die-with-parent"];
  args.push("--unshare-ipc", "--unshare-uts", "--ro-bind", "/", "/");
  args.push("--dev", "/dev");
  if (!options.hostPids) args.push("--unshare-pid", "--proc", "/proc");
  if (!options.network) args.push("--unshare-net");
  for (const folder of hidden) args.push("--tmpfs", folder);
  for (const folder of visiblePrograms(hidden)) args.push("--ro-bind", folder, folder);
  const state = real(stateDir());
  if (state !== undefined) args.push("--tmpfs", state);
  for (const folder of options.readable) args.push("--ro-bind-try", folder, folder);
  for (const folder of options.writable) args.push("--bind-try", folder, folder);
  if (process.getuid?.() === 0) {
    // Root in the sandbox could undo the mounts; it keeps only what reading other users' files needs.
    args.push("--cap-drop", "ALL");
    for (const kept of ["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN"]) args.push("--cap-add", kept);
  }
  return [BWRAP, ...args, "--", ...command];
}
