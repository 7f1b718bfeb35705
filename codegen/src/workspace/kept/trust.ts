import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { replaceFile, takeLockWithin } from "../../disk/index.js";
import { makeStateDir } from "../../process/index.js";

/** This user's own folder for a folder of projects (a real path): trust, audit. Whoever has projects there finds it. */
export const stateFolderOf = (projects: string): Promise<string> =>
  makeStateDir("workspaces", createHash("sha256").update(projects).digest("hex").slice(0, 20));

const entrySchema = z.strictObject({
  folder: z.string(),
  dev: z.number(),
  ino: z.number(),
  /** Nanoseconds of its birth; left out in lists of earlier versions, "0" where the file system does not know. */
  born: z.string().optional(),
  /** Made here, not sent by somebody. */
  own: z.boolean(),
});
const fileSchema = z.array(entrySchema);
type Entry = z.infer<typeof entrySchema>;

async function identityOf(root: string): Promise<Pick<Entry, "dev" | "ino"> & { born: string }> {
  const { dev, ino, birthtimeNs } = await stat(root, { bigint: true });
  return { dev: Number(dev), ino: Number(ino), born: String(birthtimeNs) };
}

/** A yes holds the list for milliseconds: longer, and something is wrong. */
const LOCK_WITHIN_MS = 10_000;

/**
 * Which projects the user has said yes to. Kept with the user, not with the workspace: a folder
 * that somebody sends must not bring its own permission along. A folder is known by its inode
 * and its birth too, so another one put in its place is a stranger: inodes are used again at once. Server and command line ask the same file,
 * each time anew: what one of them was told, the other knows.
 */
export class TrustList {
  private readonly path: string;
  private readonly lockPath: string;

  constructor(stateFolder: string) {
    this.path = join(stateFolder, "trust.json");
    this.lockPath = join(stateFolder, "trust.lock");
  }

  /** The list that has the project in this folder, a real path. */
  static async ofProject(root: string): Promise<TrustList> {
    return new TrustList(await stateFolderOf(dirname(root)));
  }

  async isTrusted(root: string): Promise<boolean> {
    return (await this.find(root)) !== undefined;
  }

  /** True for projects that were made on this machine. */
  async isOwn(root: string): Promise<boolean> {
    return (await this.find(root))?.own ?? false;
  }

  private async entries(): Promise<Entry[]> {
    try {
      return fileSchema.parse(JSON.parse(await readFile(this.path, "utf8")));
    } catch {
      // Not there yet, or damaged: nothing is trusted then.
      return [];
    }
  }

  private async find(root: string): Promise<Entry | undefined> {
    const entry = (await this.entries()).find((candidate) => candidate.folder === root);
    if (!entry) return undefined;
    const { dev, ino, born } = await identityOf(root);
    const isSame = entry.dev === dev && entry.ino === ino && (entry.born ?? born) === born;
    return isSame ? entry : undefined;
  }

  /** Throws LockedError when another process holds the list for longer than `withinMs`. */
  async add(root: string, own: boolean, withinMs = LOCK_WITHIN_MS): Promise<void> {
    const identity = await identityOf(root);
    // Read and replaced in one: two at once would keep the yes of one of them.
    const lock = await takeLockWithin(this.lockPath, "trust", withinMs);
    try {
      const others = (await this.entries()).filter((entry) => entry.folder !== root);
      const entries = [...others, { folder: root, ...identity, own }];
      await replaceFile(this.path, `${JSON.stringify(entries, null, 2)}\n`, 0o600);
    } finally {
      await lock.release();
    }
  }
}
