import { unlessRefused, type ConfinedFolder } from "../disk/index.js";

/** In bytes, of a file and of all: a project from elsewhere is looked at before anybody said yes to it. */
const LONGEST_FILE = 1_000_000;
const MOST_BYTES = 64_000_000;

/** Reads the user's code beside a drawing, as far as it can be any person's. */
export class CodeReader {
  #left = MOST_BYTES;

  constructor(private readonly folder: ConfinedFolder) {}

  /** The text of a regular file; undefined when there is none that is ours to read, or when it or all that was read is too long. */
  read(path: string): string | undefined {
    const stats = this.folder.stat(path);
    if (stats?.isFile() !== true || isTooLong(stats.size) || stats.size > this.#left) return undefined;
    this.#left -= stats.size;
    return unlessRefused(() => this.folder.read(path, LONGEST_FILE));
  }
}

/** Whether a file of so many bytes is none that a person wrote. */
export const isTooLong = (bytes: number): boolean => bytes > LONGEST_FILE;
