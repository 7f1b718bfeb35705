import { cpus, hostname, totalmem } from "node:os";
import { readdir, readFile } from "node:fs/promises";
import type { Status } from "../contract/index.js";

const CPU_ROOT = "/sys/devices/system/cpu";

async function numberIn(path: string): Promise<number | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  const value = text === undefined ? Number.NaN : Number(text);
  return Number.isInteger(value) ? value : undefined;
}

/** What the threads view draws: CPUs with the core (SMT siblings share one) and NUMA node of each. */
export async function readMachine(): Promise<Status["machine"]> {
  const found = cpus();
  const list = await Promise.all(
    found.map(async (_cpu, id) => {
      const folder = `${CPU_ROOT}/cpu${id}`;
      const entries = await readdir(folder).catch(() => [] as string[]);
      const node = entries.map((name) => /^node(\d+)$/.exec(name)?.[1]).find((text) => text !== undefined);
      return { id, core: (await numberIn(`${folder}/topology/core_id`)) ?? id, node: Number(node ?? 0) };
    }),
  );
  return { hostname: hostname(), model: found[0]?.model.trim() ?? "", cpus: list, memoryBytes: totalmem() };
}
