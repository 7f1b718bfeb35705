import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { hashOf, runFolder } from "./runFolder.js";

/** Where a process of a binary can be reached by others of its project. */
export interface Door {
  /** Path of its Unix socket. */
  path: string;
  /** Who listens there; null: nobody, as of a process that has died, or one of none of the processes asked for. */
  pid: number | null;
  /** Somebody does. */
  isOpen: boolean;
}

/** So long the name of a binary stands in that of its sockets; a longer one is cut, with its hash (net/remote/directory.cpp). */
const LONGEST_STEM = 38;
const stemOf = (binary: string): string =>
  binary.length <= LONGEST_STEM
    ? binary
    : `${binary.slice(0, LONGEST_STEM - 1 - hashOf(binary).length)}~${hashOf(binary)}`;

/** Of `/proc/net/unix` those that listen: inodes by their paths (proc_pid_net(5)). */
export function listeningSockets(table: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of table.split("\n").slice(1)) {
    const [, flags, inode, path] = /^\S+ \S+ \S+ (\S+) \S+ \S+ +(\d+) (\/.*)$/.exec(line) ?? [];
    // __SO_ACCEPTCON
    if (flags === "00010000" && inode !== undefined && path !== undefined) found.set(path, inode);
  }
  return found;
}

async function inodesOf(pid: number): Promise<Set<string>> {
  const folder = `/proc/${pid}/fd`;
  const inodes = new Set<string>();
  for (const name of await readdir(folder).catch(() => [])) {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(await readlink(join(folder, name)).catch(() => "")) ?? [];
    if (inode !== undefined) inodes.add(inode);
  }
  return inodes;
}

/** The sockets of a binary in its project's folder, and which of these processes listen at them. */
export async function doorsOf(projectDir: string, binary: string, pids: readonly number[]): Promise<Door[]> {
  const folder = runFolder(projectDir);
  const stem = stemOf(binary);
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => name.startsWith(stem) && /^\.[0-9a-f]{16}\.sock$/.test(name.slice(stem.length)),
  );
  // A process behind a fence may have a network of its own, and sockets of that.
  const tables = await Promise.all(
    ["self", ...pids].map(async (pid) => ({
      pid,
      sockets: listeningSockets(await readFile(`/proc/${pid}/net/unix`, "utf8").catch(() => "")),
      inodes: typeof pid === "number" ? await inodesOf(pid) : new Set<string>(),
    })),
  );
  return names.sort().map((name) => {
    const path = join(folder, name);
    const owner = tables.find(({ sockets, inodes }) => inodes.has(sockets.get(path) ?? ""));
    return {
      path,
      pid: typeof owner?.pid === "number" ? owner.pid : null,
      isOpen: tables.some(({ sockets }) => sockets.has(path)),
    };
  });
}
