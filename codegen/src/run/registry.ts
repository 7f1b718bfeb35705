import { createHash } from "node:crypto";
import { readdir, readFile, realpath, unlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../disk/index.js";
import { isSameProcess, makeStateDir, processStartTime } from "../process/index.js";
import { processName } from "./processName.js";

const entrySchema = z.strictObject({
  project: z.string(),
  binary: z.string(),
  /** Which of its processes it is, from 1. */
  replica: z.int().default(1),
  pid: z.number(),
  startTime: z.string(),
  /** Process group that a forced stop kills. */
  group: z.number(),
  control: z.string(),
  http: z.string().nullable(),
  token: z.string(),
  /** Lives on when whoever started it ends. */
  detached: z.boolean(),
  startedAtMs: z.number(),
});

/** A running binary as `stop`, `monitor` and `set` need it. The file is 0600: it holds the token. */
export type RunningBinary = z.infer<typeof entrySchema>;

async function entryPath(project: string, name: string): Promise<string> {
  const folder = await makeStateDir("binaries");
  const key = createHash("sha256").update(project).digest("hex").slice(0, 20);
  return join(folder, `${key}-${name}.json`);
}

/** What its process is called. */
export const nameOfRunning = ({ binary, replica }: Pick<RunningBinary, "binary" | "replica">): string =>
  processName(binary, replica);

/** Notes a running binary; replaces an older note of the same one. */
export async function registerBinary(entry: Omit<RunningBinary, "startTime">): Promise<void> {
  const path = await entryPath(entry.project, nameOfRunning(entry));
  const startTime = processStartTime(entry.pid) ?? "";
  await replaceFile(path, JSON.stringify({ ...entry, startTime }), 0o600);
}

/** Takes the note of this process, by its name, away; false when it was gone already. */
export async function unregisterBinary(project: string, name: string, pid: number): Promise<boolean> {
  const path = await entryPath(project, name);
  const entry = await readEntry(path);
  if (entry?.pid !== pid) return false;
  await unlink(path).catch(() => undefined);
  return true;
}

async function readEntry(path: string): Promise<RunningBinary | undefined> {
  try {
    return entrySchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

/** The processes of a project's binaries (of all, when left out) that are alive; notes of dead ones are removed. */
export async function listRunning(projectDir?: string): Promise<RunningBinary[]> {
  // A folder that was taken away is known by the name it had.
  const project = projectDir === undefined ? undefined : await realpath(projectDir).catch(() => projectDir);
  const folder = await makeStateDir("binaries");
  const running: RunningBinary[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".json")) continue;
    const entry = await readEntry(join(folder, name));
    if (!entry) continue;
    if (!isSameProcess(entry.pid, entry.startTime)) await unlink(join(folder, name)).catch(() => undefined);
    else if (project === undefined || entry.project === project) running.push(entry);
  }
  const placeOf = ({ project, binary, replica }: RunningBinary): string =>
    [project, binary, String(replica).padStart(2, "0")].join("\0");
  return running.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}
