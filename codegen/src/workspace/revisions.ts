import { mkdir, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { REVISION, type RevisionInfo } from "../protocol/index.js";
import { writeFileAtomic } from "./atomicFile.js";
import { realFileOps, type FileOps } from "./fileOps.js";
import { contentHash } from "./revision.js";

/** How many earlier saves of a project are kept. */
export const REVISIONS_KEPT = 20;

const recordSchema = z.strictObject({
  revision: z.string(),
  savedAtMs: z.number(),
  topology: z.string(),
  layout: z.string().nullable(),
  /** Of the fields above, so that a damaged record is never offered. */
  check: z.string(),
});
/** One save of a drawing, whole. */
export type RevisionRecord = z.infer<typeof recordSchema>;

const checkOf = (record: Omit<RevisionRecord, "check">): string =>
  contentHash(JSON.stringify([record.revision, record.savedAtMs, record.topology, record.layout]));

interface Entry {
  file: string;
  revision: string;
  savedAtMs: number;
}

/** Name of the file that keeps a save. */
export const revisionFileName = (savedAtMs: number, revision: string): string =>
  `${String(savedAtMs).padStart(15, "0")}-${revision}.json`;

async function entries(folder: string): Promise<Entry[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names
    .flatMap((file) => {
      const match = /^(\d{15})-([0-9a-f]{32})\.json$/.exec(file);
      return match ? [{ file, savedAtMs: Number(match[1]), revision: match[2] as string }] : [];
    })
    .sort((a, b) => b.file.localeCompare(a.file));
}

/** The saves kept in `folder`, newest first. */
export async function listRevisions(folder: string): Promise<RevisionInfo[]> {
  return (await entries(folder)).map(({ revision, savedAtMs }) => ({ revision, savedAtMs }));
}

/** One kept save, or undefined when it is not there or damaged. */
export async function readRevision(folder: string, revision: string): Promise<RevisionRecord | undefined> {
  if (!REVISION.test(revision)) return undefined;
  const entry = (await entries(folder)).find((candidate) => candidate.revision === revision);
  if (!entry) return undefined;
  try {
    const record = recordSchema.parse(JSON.parse(await readFile(join(folder, entry.file), "utf8")));
    return record.check === checkOf(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a save to `folder`. */
export async function addRevision(
  folder: string,
  save: Omit<RevisionRecord, "check">,
  ops: FileOps = realFileOps,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = revisionFileName(save.savedAtMs, save.revision);
  const record: RevisionRecord = { ...save, check: checkOf(save) };
  await writeFileAtomic(join(folder, file), JSON.stringify(record), { ops, mode: 0o600 });
}

/** Removes saves beyond REVISIONS_KEPT and older ones of the same content. */
export async function pruneRevisions(folder: string, ops: FileOps = realFileOps): Promise<void> {
  const seen = new Set<string>();
  for (const entry of await entries(folder)) {
    const surplus = seen.has(entry.revision) || seen.size >= REVISIONS_KEPT;
    seen.add(entry.revision);
    if (surplus) await ops.unlink(join(folder, entry.file)).catch(() => undefined);
  }
}

export async function dropRevision(folder: string, file: string, ops: FileOps = realFileOps): Promise<void> {
  await ops.unlink(join(folder, file)).catch(() => undefined);
}

export const removeQuietly = (path: string): Promise<void> => unlink(path).catch(() => undefined);
