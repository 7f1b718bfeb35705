import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { contentHash, type ConfinedFolder } from "../../disk/index.js";
import { REVISION, type RevisionInfo } from "../../contract/index.js";

/** Where they are kept, among the records of a project. */
export const REVISIONS = "revisions";
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

const revisionFileName = (savedAtMs: number, revision: string): string =>
  `${String(savedAtMs).padStart(15, "0")}-${revision}.json`;

const entries = async (folder: string): Promise<Entry[]> =>
  entriesOf(await readdir(folder).catch(() => [] as string[]));

/** Newest first. */
const entriesOf = (names: readonly string[]): Entry[] =>
  names
    .flatMap((file) => {
      const match = /^(\d{15})-([0-9a-f]{32})\.json$/.exec(file);
      return match ? [{ file, savedAtMs: Number(match[1]), revision: match[2] as string }] : [];
    })
    .sort((a, b) => b.file.localeCompare(a.file));

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

/** Keeps a save among the records of its project. */
export const addRevision = (records: ConfinedFolder, save: Omit<RevisionRecord, "check">): Promise<void> =>
  records.replace(
    `${REVISIONS}/${revisionFileName(save.savedAtMs, save.revision)}`,
    JSON.stringify({ ...save, check: checkOf(save) } satisfies RevisionRecord),
    { mode: 0o600, durable: true },
  );

/** Removes saves beyond REVISIONS_KEPT and older ones of the same content. */
export function pruneRevisions(records: ConfinedFolder): void {
  const seen = new Set<string>();
  for (const entry of entriesOf(records.list(REVISIONS))) {
    const surplus = seen.has(entry.revision) || seen.size >= REVISIONS_KEPT;
    seen.add(entry.revision);
    if (surplus) records.removeIfThere(`${REVISIONS}/${entry.file}`);
  }
}

export const dropRevision = (records: ConfinedFolder, savedAtMs: number, revision: string): void =>
  records.removeIfThere(`${REVISIONS}/${revisionFileName(savedAtMs, revision)}`);
