import { readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";

/** A thread as the kernel knows it. */
export interface KernelThread {
  /** As /proc shows it: 15 characters at most. */
  name: string;
  /** The CPUs it may run on, as the kernel writes them ("0", "0-1"). */
  cpus: string;
}

/** The process that runs an executable inside a folder; undefined while there is none. */
export async function processIn(folder: string): Promise<number | undefined> {
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    // A process may end while it is looked at.
    const executable = await readlink(`/proc/${pid}/exe`).catch(() => "");
    if (executable.startsWith(folder + path.sep) && executable.includes("/last-good/")) return Number(pid);
  }
  return undefined;
}

/** The threads of a process, read from /proc; one that ends meanwhile is none. */
export async function threadsOf(pid: number): Promise<KernelThread[]> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const threads = await Promise.all(
    tasks.map(async (tid) => {
      const read = (name: string) => readFile(`/proc/${pid}/task/${tid}/${name}`, "utf8").catch(() => "");
      const [name, status] = [(await read("comm")).trim(), await read("status")];
      return { name, cpus: /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? "" };
    }),
  );
  return threads.filter(({ name }) => name !== "");
}
