import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { stateDir } from "./stateDir.js";
import { realPath, visiblePrograms } from "./visiblePrograms.js";

const BWRAP = "/usr/bin/bwrap";

/** What a sandboxed program may see of the folders that are hidden from it, and where it may write. */
export interface SandboxOptions {
  readable: string[];
  writable: string[];
  /** Keep the host's network (a running binary listens; a compiler has nothing to ask there). */
  network: boolean;
  /** What its environment has in the sandbox only. */
  env?: Record<string, string>;
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
    const probe = sandboxed(["/bin/true"], { readable: [], writable: [], network: false });
    execFile(probe[0] as string, probe.slice(1), { timeout: 60_000 }, (error, _stdout, stderr) => {
      resolve(error ? `bwrap does not work here: ${stderr.trim() || error.message}` : "");
    });
  });
  return usable;
}

/**
 * Folders that hold what is nobody else's business: home, temporary files, our own tokens, and the sockets of other
 * programs (of Docker, D-Bus, an agent that holds keys), which no network namespace keeps from anybody.
 */
function hiddenFolders(): string[] {
  // Unset for root and services: no path would be the folder that we stand in.
  const runtime = process.env["XDG_RUNTIME_DIR"] || "/run";
  const candidates = [tmpdir(), "/tmp", "/var/tmp", "/run", runtime, homedir()].map(realPath);
  const all = candidates.filter((path): path is string => path !== undefined && path !== "/");
  return [...new Set(all)].sort((a, b) => a.length - b.length);
}

/** Where the names of hosts are asked for stands in /run on many systems. */
function resolverFile(): string[] {
  const file = realPath("/etc/resolv.conf");
  return file?.startsWith("/run/") === true ? ["--ro-bind", file, file] : [];
}

/**
 * `command` in a sandbox: the whole file system read-only, home, state, temporary folders and those of sockets hidden
 * behind empty ones of its own, only `writable` writable, dying with its parent. Paths that do not exist are left out.
 * `env` says where its programs are; what it gets of it is the caller's business (`fencedEnvironment`).
 */
export function sandboxed(
  command: string[],
  options: SandboxOptions,
  env: NodeJS.ProcessEnv = process.env,
): string[] {
  const hidden = hiddenFolders();
  const args = options.outlives === true ? [] : ["--die-with-parent"];
  args.push("--unshare-ipc", "--unshare-uts", "--ro-bind", "/", "/");
  // Its own process ids: it can signal, stop and look at nobody else, and what it starts in a session of its own
  // ends with it too, which no signal to its group would reach.
  args.push("--dev", "/dev", "--unshare-pid", "--proc", "/proc");
  if (!options.network) args.push("--unshare-net");
  for (const folder of hidden) args.push("--tmpfs", folder);
  for (const { from, at } of visiblePrograms(hidden, env)) args.push("--ro-bind-try", from, at);
  if (options.network) args.push(...resolverFile());
  for (const folder of options.readable) args.push("--ro-bind-try", folder, folder);
  for (const folder of options.writable) args.push("--bind-try", folder, folder);
  const state = realPath(stateDir());
  if (state !== undefined) args.push("--tmpfs", state);
  for (const [name, value] of Object.entries({ ...options.env, TMPDIR: "/tmp" }))
    args.push("--setenv", name, value);
  if (process.getuid?.() === 0) {
    // Root in the sandbox could undo the mounts; it keeps only what reading other users' files needs.
    args.push("--cap-drop", "ALL");
    for (const kept of ["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN"]) args.push("--cap-add", kept);
  }
  return [BWRAP, ...args, "--", ...command];
}
