import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "./atomicFile.js";

const entrySchema = z.strictObject({
  folder: z.string(),
  dev: z.number(),
  ino: z.number(),
  /** Made here, not sent by somebody. */
  own: z.boolean(),
});
const fileSchema = z.array(entrySchema);
type Entry = z.infer<typeof entrySchema>;

/**
 * Which projects the user has said yes to. Kept with the user, not with the workspace: a folder
 * that somebody sends must not bring its own permission along. A folder is known by its inode
 * too, so another one put in its place is a stranger.
 */
export class TrustList {
  private constructor(
    private readonly path: string,
    private entries: Entry[],
  ) {}

  static async load(stateFolder: string): Promise<TrustList> {
    const path = join(stateFolder, "trust.json");
    let entries: Entry[] = [];
    try {
      entries = fileSchema.parse(JSON.parse(await readFile(path, "utf8")));
    } catch {
      // Not there yet, or damaged: nothing is trusted then.
    }
    return new TrustList(path, entries);
  }

  async isTrusted(root: string): Promise<boolean> {
    return (await this.find(root)) !== undefined;
  }

  /** True for projects that were made on this machine. */
  async isOwn(root: string): Promise<boolean> {
    return (await this.find(root))?.own ?? false;
  }

  private async find(root: string): Promise<Entry | undefined> {
    const entry = this.entries.find((candidate) => candidate.folder === root);
    if (!entry) return undefined;
    const { dev, ino } = await stat(root);
    return entry.dev === dev && entry.ino === ino ? entry : undefined;
  }

  async add(root: string, own: boolean): Promise<void> {
    const { dev, ino } = await stat(root);
    this.entries = [
      ...this.entries.filter((entry) => entry.folder !== root),
      { folder: root, dev, ino, own },
    ];
    await writeFileAtomic(this.path, `${JSON.stringify(this.entries, null, 2)}\n`, { mode: 0o600 });
  }
}
