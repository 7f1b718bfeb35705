import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { valuesOfVariable } from "../../process/index.js";

/** Of what has ended, so many outputs of each process name are kept: there is a reason to read the last ones. */
export const KEPT_LOGS = 5;

/** `models-server-0a1b2c3d.log`, and the `.log.1` that it was begun anew from. */
const LOG = /^(.+)-[0-9a-f]{8}\.log(?:\.1)?$/;

interface Log {
  name: string;
  files: string[];
  writtenAtMs: number;
}

/** The outputs in a folder, by what the processes are called. */
async function logsIn(folder: string): Promise<Log[][]> {
  const names = new Map<string, Map<string, Log>>();
  for (const file of await readdir(folder)) {
    const name = LOG.exec(file)?.[1];
    if (name === undefined) continue;
    const first = file.replace(/\.1$/, "");
    const logs = names.get(name) ?? new Map<string, Log>();
    const log = logs.get(first) ?? { name: first, files: [], writtenAtMs: 0 };
    names.set(name, logs.set(first, log));
    log.files.push(join(folder, file));
    const written = await stat(join(folder, file)).catch(() => null);
    log.writtenAtMs = Math.max(log.writtenAtMs, written?.mtimeMs ?? 0);
  }
  return [...names.values()].map((logs) => [...logs.values()]);
}

/**
 * Removes the outputs of detached binaries that have ended, but for the last ones of each name.
 *
 * @param variable which names its file to who writes it: what any living process has in it is in use
 */
export async function removeEndedLogs(folder: string, variable: string): Promise<void> {
  const all = await logsIn(folder);
  if (all.every(({ length }) => length <= KEPT_LOGS)) return;
  // By the last part, which is the only one of its kind: several ways may lead to the folder.
  const used = new Set([...valuesOfVariable(variable)].map((path) => basename(path)));
  const tooMany = all.flatMap((logs) =>
    logs
      .filter(({ name }) => !used.has(name))
      .toSorted((a, b) => b.writtenAtMs - a.writtenAtMs)
      .slice(KEPT_LOGS),
  );
  await Promise.all(tooMany.flatMap(({ files }) => files.map((file) => rm(file, { force: true }))));
}
