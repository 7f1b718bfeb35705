import { createHash } from "node:crypto";
import { readdir, readFile, realpath, unlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../disk/index.js";
import { isSameProcess, makeStateDir, processStartTime } from "../process/index.js";

const entrySchema = z.strictObject({
  project: z.string(),
  binary: z.string(),
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

async function entryPath(project: string, binary: string): Promise<string> {
  const folder = await makeStateDir("binaries");
  const key = createHash("sha256").update(project).digest("hex").slice(0, 20);
  return join(folder, `${key}-${binary}.json`);
}

/** Notes a running binary; replaces an older note of the same one. */
export async function registerBinary(entry: Omit<RunningBinary, "startTime">): Promise<void> {
  const path = await entryPath(entry.project, entry.binary);
  const startTime = processStartTime(entry.pid) ?? "";
  await replaceFile(path, JSON.stringify({ ...entry, startTime }), 0o600);
}

/** Takes the note of this process away; false when it was gone already. */
export async function unregisterBinary(project: string, binary: string, pid: number): Promise<boolean> {
  const path = await entryPath(project, binary);
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

/** The binaries of a project (of all, when left out) that are alive; notes of dead ones are removed. */
export async function listRunning(projectDir?: string): Promise<RunningBinary[]> {
  // A folder that was taken away is known by the name it had.
  const project = projectDir === undefined ? undefined : await realpath(projectDir).catch(() => projectDir);
  const folder = await makeStateDir("binaries");
  const running: RunningBinary[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (!name.endsWith(".json")) continue;
    const entry = await readEntry(join(folder, name));
    if (!entry) continue;
    if (!isSameProcess(entry.pid, entry.startTime)) await unlink(join(folder, name)).catch(() => undefined);
    else if (project === undefined || entry.project === project) running.push(entry);
  }
  return running;
}
