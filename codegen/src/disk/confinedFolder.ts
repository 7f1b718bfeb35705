import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
  fsync,
  type Stats,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { promisify } from "node:util";
import { refusalOf, tooLarge, WriteRefusal } from "./refusal.js";

const {
  O_RDONLY,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_DIRECTORY,
  O_WRONLY,
  O_CREAT,
  O_EXCL,
  COPYFILE_EXCL,
  COPYFILE_FICLONE,
} = constants;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const syncDescriptor = promisify(fsync);

/** What a file becomes: a text, or a copy of a regular file of a folder, its mode included. */
export type NewContent = string | { copyOf: string; in: ConfinedFolder };

/** The folder of a path, "" for the root. */
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/**
 * A folder that nothing leads out of: every step of a path is opened without following links and
 * named through its descriptor, so that a link put in its place in between leads nowhere (what
 * openat(2) is for). Paths are relative, made of checked names. Throws a WriteRefusal where it can
 * be said what is wrong. Not for use after close().
 */
export class ConfinedFolder {
  readonly #folders = new Map<string, number>();
  /** Folders that were looked for and not there, until the next change: most files of a first generation are in one. */
  readonly #missing = new Set<string>();
  /** Told before each change on disk: tests stop the process there. */
  readonly #onStep: (step: string) => void;

  constructor(
    readonly root: string,
    onStep: (step: string) => void = () => {},
  ) {
    this.#onStep = onStep;
    this.#folders.set("", openSync(root, O_RDONLY | O_DIRECTORY));
  }

  /** What `use` makes of the folder at `root`, which is closed again when that is done (a promise: settled). */
  static within<T>(root: string, use: (folder: ConfinedFolder) => T, onStep?: (step: string) => void): T {
    const folder = new ConfinedFolder(root, onStep);
    let isLater = false;
    try {
      const result = use(folder);
      if (!(result instanceof Promise)) return result;
      isLater = true;
      return result.finally(() => folder.close()) as T;
    } finally {
      if (!isLater) folder.close();
    }
  }

  close(): void {
    for (const descriptor of this.#folders.values()) closeSync(descriptor);
    this.#folders.clear();
  }

  /** Forgets the folders at and below `path`, after it was moved. */
  forget(path: string): void {
    for (const [name, descriptor] of this.#folders)
      if (name === path || name.startsWith(`${path}/`)) {
        closeSync(descriptor);
        this.#folders.delete(name);
      }
  }

  /**
   * A regular file, open for reading and for the caller to close; undefined when there is none. Throws the system's
   * error, ELOOP for what is no regular file.
   */
  open(path: string): { descriptor: number; stats: Stats } | undefined {
    const place = this.#place(path, false);
    if (place === undefined) return undefined;
    let descriptor: number;
    try {
      // O_NONBLOCK: a FIFO in a file's place must not hang us.
      descriptor = openSync(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return { descriptor, stats };
    closeSync(descriptor);
    throw Object.assign(new Error(`${path} is no regular file`), { code: "ELOOP" });
  }

  /** The text of a regular file, what is no UTF-8 in it replaced; undefined when there is none. */
  read(path: string, limit = MAX_FILE_BYTES): string | undefined {
    return this.readBytes(path, limit)?.toString();
  }

  /** What a regular file holds; undefined when there is none. */
  readBytes(path: string, limit = MAX_FILE_BYTES): Buffer | undefined {
    return this.#told(path, () => {
      const file = this.open(path);
      if (file === undefined) return undefined;
      try {
        if (file.stats.size > limit) throw tooLarge(path, limit);
        return readFileSync(file.descriptor);
      } finally {
        closeSync(file.descriptor);
      }
    });
  }

  /** read() for what is as good as missing when it is a link, damaged or too large. */
  readIfPlain(path: string, limit = MAX_FILE_BYTES): string | undefined {
    try {
      return this.read(path, limit);
    } catch (error) {
      if (error instanceof WriteRefusal) return undefined;
      throw error;
    }
  }

  /** True for a regular file to which no link leads. */
  isPlainFile(path: string): boolean {
    try {
      return this.stat(path)?.isFile() === true;
    } catch (error) {
      if (error instanceof WriteRefusal) return false;
      throw error;
    }
  }

  stat(path: string): Stats | undefined {
    return this.#told(path, () => {
      const place = this.#place(path, false);
      return place === undefined ? undefined : lstatSync(place, { throwIfNoEntry: false });
    });
  }

  /** Names in a folder; none when there is no such folder. */
  list(path: string): string[] {
    return this.#told(path, () => {
      const descriptor = this.#folder(path, false);
      return descriptor === undefined ? [] : readdirSync(`/proc/self/fd/${descriptor}`).sort();
    });
  }

  /** Who may do what with a regular file, for what takes its place; undefined when there is none. */
  modeOf(path: string): number | undefined {
    const stats = this.stat(path);
    return stats?.isFile() === true ? stats.mode & 0o777 : undefined;
  }

  /** Makes a new file; its folders too. Fails when something has that name. A mode that is named is had exactly. */
  create(path: string, text: string, mode?: number): void {
    this.#change("create", path, () => {
      const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
      const descriptor = openSync(this.#place(path, true)!, flags, mode ?? 0o644);
      try {
        if (mode !== undefined) fchmodSync(descriptor, mode);
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
      } finally {
        closeSync(descriptor);
      }
    });
  }

  /**
   * Puts something in the place of a file, or makes it: a reader sees the old one or the new one, and who has the
   * old one open (runs it) keeps that. `durable`: so does whoever looks after a power cut. A text has the mode of the
   * file whose place it takes, unless `mode` names one. Throws ENOENT when there is nothing to copy.
   */
  async replace(
    path: string,
    content: NewContent,
    options: { mode?: number | undefined; durable?: boolean } = {},
  ): Promise<void> {
    await this.#replace(path, content, options, () => true);
  }

  /**
   * replace() by a text that is durable, if `isStillSo`: asked when all has been done but the change itself. No, and
   * nothing has changed: false.
   */
  replaceIf(path: string, text: string, isStillSo: () => boolean): Promise<boolean> {
    return this.#replace(path, text, { durable: true }, isStillSo);
  }

  async #replace(
    path: string,
    content: NewContent,
    { mode, durable = false }: { mode?: number | undefined; durable?: boolean },
    isStillSo: () => boolean,
  ): Promise<boolean> {
    const aside = this.#aside(path);
    try {
      if (typeof content === "string") this.create(aside, content, mode ?? this.modeOf(path));
      else await this.#copy(content, aside);
      if (durable) await this.flush([aside]);
      if (!isStillSo()) {
        this.remove(aside);
        return false;
      }
      this.rename(aside, path);
      if (durable) await this.flush([folderOf(path)]);
      return true;
    } catch (error) {
      this.removeIfThere(aside);
      throw error;
    }
  }

  /** Resolves when what these files and folders ("" is the root) hold is on the disk. */
  async flush(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      this.#onStep(`sync ${path}`);
      const file = this.#folders.has(path) || path === "" ? undefined : this.#opened(path);
      try {
        const descriptor = file ?? this.#folders.get(path);
        if (descriptor !== undefined) await syncDescriptor(descriptor);
      } catch (error) {
        throw refusalOf(error, path, this.root) ?? error;
      } finally {
        if (file !== undefined) closeSync(file);
      }
    }
  }

  /** Makes a folder and those above it where they are missing. Refuses links in their place. */
  ensureFolder(path: string): void {
    this.#told(path, () => this.#folder(path, true));
  }

  /** The folder `path` is for its owner only, where that is us: what lies in it is nobody else's to start. */
  keepToOwner(path: string): void {
    this.#change("chmod", path, () => {
      const descriptor = this.#folder(path, true)!;
      if (fstatSync(descriptor).uid === process.getuid?.()) fchmodSync(descriptor, 0o700);
    });
  }

  makeFolder(path: string): void {
    this.#change("mkdir", path, () => mkdirSync(this.#place(path, true)!));
  }

  /** Another name for a file (never follows a link, never replaces): the same file, same times. */
  link(from: string, to: string): void {
    this.#change("link", to, () => linkSync(this.#place(from, false)!, this.#place(to, true)!));
  }

  rename(from: string, to: string): void {
    this.#change("rename", to, () => renameSync(this.#place(from, false)!, this.#place(to, true)!));
    this.forget(from);
    this.forget(to);
  }

  remove(path: string): void {
    this.#change("unlink", path, () => unlinkSync(this.#place(path, false)!));
  }

  removeIfThere(path: string): void {
    if (this.stat(path) !== undefined) this.remove(path);
  }

  /** A folder and all below it; links are removed, not followed. */
  removeAll(path: string): void {
    const stats = this.stat(path);
    if (stats === undefined) return;
    if (!stats.isDirectory()) return this.remove(path);
    for (const name of this.list(path)) this.removeAll(`${path}/${name}`);
    this.#change("rmdir", path, () => rmdirSync(this.#place(path, false)!));
    this.forget(path);
  }

  /** Removes a folder if nothing is in it any more. */
  removeIfEmpty(path: string): void {
    if (this.stat(path)?.isDirectory() && this.list(path).length === 0) this.removeAll(path);
  }

  /** Where the new content of a file waits; refusals name the file itself. */
  #aside(path: string): string {
    this.#told(path, () => this.#place(path, true));
    return `${path}.${randomBytes(6).toString("hex")}`;
  }

  async #copy(content: Exclude<NewContent, string>, to: string): Promise<void> {
    const { copyOf: source, in: from } = content;
    const file = from.#told(source, () => from.open(source));
    if (file === undefined) throw Object.assign(new Error(`${source} does not exist`), { code: "ENOENT" });
    try {
      const place = this.#place(to, true)!;
      await copyFile(`/proc/self/fd/${file.descriptor}`, place, COPYFILE_EXCL | COPYFILE_FICLONE);
    } finally {
      closeSync(file.descriptor);
    }
  }

  /** Descriptor of a file or folder, for the caller to close. */
  #opened(path: string): number {
    return this.#told(path, () => openSync(this.#place(path, false)!, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  }

  #change(step: string, path: string, action: () => void): void {
    this.#onStep(`${step} ${path}`);
    this.#missing.clear();
    this.#told(path, action);
  }

  #told<T>(path: string, action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw refusalOf(error, path, this.root) ?? error;
    }
  }

  #place(path: string, make: boolean): string | undefined {
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    if (name === "" || name === "." || name === ".." || name.includes("\0"))
      throw new Error(`not a path: ${path}`);
    const descriptor = this.#folder(folderOf(path), make);
    return descriptor === undefined ? undefined : `/proc/self/fd/${descriptor}/${name}`;
  }

  #folder(path: string, make: boolean): number | undefined {
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    if (!make && this.#missing.has(path)) return undefined;
    const place = this.#place(path, make);
    if (place === undefined) return this.#isMissing(path);
    let descriptor: number;
    try {
      descriptor = openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      if (!make) return this.#isMissing(path);
      this.#onStep(`mkdir ${path}`);
      try {
        mkdirSync(place);
      } catch (race) {
        // Another process was quicker; whether it made a folder is seen below.
        if ((race as NodeJS.ErrnoException).code !== "EEXIST") throw race;
      }
      descriptor = openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    }
    this.#folders.set(path, descriptor);
    return descriptor;
  }

  #isMissing(path: string): undefined {
    this.#missing.add(path);
  }
}
