import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, realpath, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { portOf } from "../../contract/index.js";
import { replaceFile } from "../../disk/index.js";
import { isSameProcess, makeStateDir, processStartTime } from "../../process/index.js";

/**
 * What a process of a binary is called in logs, files and figures: the first one as the binary, the next one
 * `models-server.2`, which no binary can be called.
 */
export const processName = (binary: string, replica: number): string =>
  replica === 1 ? binary : `${binary}.${replica}`;

/** One that something else started: by the port of its control address here, `models-server@9901`. */
const attachedName = (binary: string, control: string): string => `${binary}@${portOf(control)}`;

const startedSchema = z.strictObject({
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
  /** Who started it, and starts it anew after a crash; left out in notes of earlier versions. */
  supervisor: z.strictObject({ pid: z.number(), startTime: z.string() }).exactOptional(),
  attached: z.literal(false).default(false),
});

/** A process that Penstock started, as `stop`, `monitor` and `set` need it. The file is 0600: it holds the token. */
export type StartedBinary = z.infer<typeof startedSchema>;

const attachedSchema = z.strictObject({
  project: z.string(),
  binary: z.string(),
  control: z.string(),
  /** What its control address is called where it runs, as a forwarded port may have another number here. */
  host: z.string().exactOptional(),
  token: z.string(),
  attached: z.literal(true),
});

/**
 * A process that something else started, on this host or beyond: known by its address alone, so that nobody can
 * send it a signal. The note stays until it is detached, also while nobody answers there.
 */
export type AttachedBinary = z.infer<typeof attachedSchema>;

/** A process of a binary, whoever started it. */
export type RunningBinary = StartedBinary | AttachedBinary;

async function entryPath(project: string, name: string): Promise<string> {
  const folder = await makeStateDir("binaries");
  const key = createHash("sha256").update(project).digest("hex").slice(0, 20);
  return join(folder, `${key}-${name}.json`);
}

/** What its process is called. */
export const nameOfRunning = (
  entry:
    | Pick<StartedBinary, "binary" | "replica" | "attached">
    | Pick<AttachedBinary, "binary" | "control" | "attached">,
): string =>
  entry.attached ? attachedName(entry.binary, entry.control) : processName(entry.binary, entry.replica);

/**
 * Each process has a note of its own, also one that takes the place of another: whoever finds the old one dead and
 * removes its note removes no other.
 */
const startedPath = (project: string, name: string, pid: number): Promise<string> =>
  entryPath(project, `${name}.${pid}`);

/** What the note of a process is called from when it is asked to stop until its end was seen. */
const askedPath = (path: string): string => path.replace(/\.json$/, ".asked");

/** Which rates a load found in it; gone with the end of the process. */
const foundPath = (path: string): string => path.replace(/\.(json|asked)$/, ".found");

/** Notes a process that was started, by this one. */
export async function registerBinary(
  entry: Omit<StartedBinary, "startTime" | "supervisor" | "attached">,
): Promise<void> {
  const path = await startedPath(entry.project, processName(entry.binary, entry.replica), entry.pid);
  const startTime = processStartTime(entry.pid) ?? "";
  const supervisor = { pid: process.pid, startTime: processStartTime(process.pid) ?? "" };
  // Of one that had the same number.
  await unlink(askedPath(path)).catch(() => undefined);
  await unlink(foundPath(path)).catch(() => undefined);
  await replaceFile(path, JSON.stringify({ ...entry, startTime, supervisor }), 0o600);
}

/** Notes that a process was asked to stop: it is listed no more, and its supervisor takes its end for a wanted one. */
export async function noteAsked(entry: StartedBinary): Promise<void> {
  const path = await startedPath(entry.project, nameOfRunning(entry), entry.pid);
  await rename(path, askedPath(path)).catch(() => undefined);
}

/** Takes the note of this process, by its name, away when it has ended; true when somebody had asked it to stop. */
export async function unregisterBinary(project: string, name: string, pid: number): Promise<boolean> {
  const path = await startedPath(project, name, pid);
  await unlink(path).catch(() => undefined);
  return unlink(askedPath(path)).then(
    () => true,
    () => false,
  );
}

/** By the flow's name, events a second that the source of one process made before a load was put on it. */
export type FoundRates = Readonly<Record<string, number>>;
const foundSchema = z.record(z.string(), z.number());

/** Changes what is noted of the rates that a load found in a process that runs. */
export async function noteFound(
  entry: StartedBinary,
  change: (found: FoundRates) => FoundRates,
): Promise<void> {
  const path = foundPath(await startedPath(entry.project, nameOfRunning(entry), entry.pid));
  const found = change((await readEntry(path, foundSchema)) ?? {});
  if (Object.keys(found).length > 0) await replaceFile(path, JSON.stringify(found), 0o600);
  else await unlink(path).catch(() => undefined);
}

/** The rates that a load found in a process, by its name, which has ended without getting them back; the note is gone then. */
export async function takeFound(project: string, name: string, pid: number): Promise<FoundRates> {
  const path = foundPath(await startedPath(project, name, pid));
  const found = (await readEntry(path, foundSchema)) ?? {};
  await unlink(path).catch(() => undefined);
  return found;
}

const isSupervised = ({ supervisor }: StartedBinary): boolean =>
  supervisor !== undefined && isSameProcess(supervisor.pid, supervisor.startTime);

/** Removes the notes of processes that were asked to stop and have, where no supervisor is left to see it. */
export async function removeAnswered(): Promise<void> {
  for (const { path, entry } of await readNotes(startedSchema, ".asked"))
    if (!isSameProcess(entry.pid, entry.startTime) && !isSupervised(entry)) {
      await unlink(path).catch(() => undefined);
      await unlink(foundPath(path)).catch(() => undefined);
    }
}

/** Two notes of one attached process: another token is another connection. */
export const isSameNote = (a: AttachedBinary, b: AttachedBinary): boolean =>
  a.control === b.control && a.host === b.host && a.token === b.token;

/** Notes an attached process; replaces an older note of the same one. */
export async function noteAttached(entry: AttachedBinary): Promise<void> {
  await replaceFile(await entryPath(entry.project, nameOfRunning(entry)), JSON.stringify(entry), 0o600);
}

/** Takes the note of an attached process away, and its token with it. */
export async function forgetAttached(entry: AttachedBinary): Promise<void> {
  await unlink(await entryPath(entry.project, nameOfRunning(entry))).catch(() => undefined);
}

/** What a note says; undefined when it is none of this kind. */
async function readEntry<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

/** All notes of a kind, with the files they are in. */
async function readNotes<T>(schema: z.ZodType<T>, ending = ".json"): Promise<{ path: string; entry: T }[]> {
  const folder = await makeStateDir("binaries");
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending));
  const notes: { path: string; entry: T }[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const entry = await readEntry(path, schema);
    if (entry !== undefined) notes.push({ path, entry });
  }
  return notes;
}

/** A folder that was taken away is known by the name it had. */
const knownAs = async (projectDir: string | undefined): Promise<string | undefined> =>
  projectDir === undefined ? undefined : realpath(projectDir).catch(() => projectDir);

/** What was started of a project's binaries (of all, when left out) and is alive; notes of dead ones are removed. */
export async function listRunning(projectDir?: string): Promise<StartedBinary[]> {
  const project = await knownAs(projectDir);
  const running: StartedBinary[] = [];
  await removeAnswered();
  for (const { path, entry } of await readNotes(startedSchema)) {
    if (!isSameProcess(entry.pid, entry.startTime)) {
      await unlink(path).catch(() => undefined);
      // Who starts it anew looks for it.
      if (!isSupervised(entry)) await unlink(foundPath(path)).catch(() => undefined);
    } else if (project === undefined || entry.project === project) running.push(entry);
  }
  const placeOf = ({ project, binary, replica }: StartedBinary): string =>
    [project, binary, String(replica).padStart(2, "0")].join("\0");
  return running.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

/**
 * What is attached to a project (to any, when left out), whether it answers or not. A token of a project that is
 * no more is not kept.
 */
export async function listAttached(projectDir?: string): Promise<AttachedBinary[]> {
  const project = await knownAs(projectDir);
  const attached: AttachedBinary[] = [];
  for (const { path, entry } of await readNotes(attachedSchema)) {
    if (!existsSync(entry.project)) await unlink(path).catch(() => undefined);
    else if (project === undefined || entry.project === project) attached.push(entry);
  }
  const placeOf = (entry: AttachedBinary): string => `${entry.project}\0${nameOfRunning(entry)}`;
  return attached.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

/** Of what is attached that at whose address none was started since: there is only this one then. */
export const stillAttached = (
  attached: readonly AttachedBinary[],
  started: readonly StartedBinary[],
): AttachedBinary[] =>
  attached.filter(({ control }) => !started.some((one) => portOf(one.control) === portOf(control)));
