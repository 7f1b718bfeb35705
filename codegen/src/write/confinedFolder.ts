import {
  closeSync,
  constants,
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
  fsyncSync,
  type Stats,
} from "node:fs";
import { refusalOf } from "./refusal.js";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY, O_WRONLY, O_CREAT, O_EXCL } = constants;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

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

  /** The text of a regular file; undefined when there is none. */
  read(path: string): string | undefined {
    return this.#told(path, () => {
      const place = this.#place(path, false);
      if (place === undefined) return undefined;
      let descriptor: number;
      try {
        descriptor = openSync(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
      try {
        const stats = fstatSync(descriptor);
        if (!stats.isFile() || stats.size > MAX_FILE_BYTES)
          throw Object.assign(new Error(path), { code: "ELOOP" });
        return readFileSync(descriptor, "utf8");
      } finally {
        closeSync(descriptor);
      }
    });
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

  /** Makes a new file; its folders too. Fails when something has that name. */
  create(path: string, text: string, durable = false): void {
    this.#change("create", path, () => {
      const descriptor = openSync(this.#place(path, true)!, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
      try {
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
        if (durable) fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
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

  /** Lets two folders of the root change places by `swap(root, one, other)`; its answer. */
  exchange(one: string, other: string, swap: (root: string, one: string, other: string) => boolean): boolean {
    let done = false;
    this.#change("exchange", one, () => void (done = swap(this.root, one, other)));
    this.forget(one);
    this.forget(other);
    return done;
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
      throw refusalOf(error, path) ?? error;
    }
  }

  #place(path: string, make: boolean): string | undefined {
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    if (name === "" || name === "." || name === ".." || name.includes("\0"))
      throw new Error(`not a path: ${path}`);
    const descriptor = this.#folder(slash < 0 ? "" : path.slice(0, slash), make);
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
      mkdirSync(place);
      descriptor = openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    }
    this.#folders.set(path, descriptor);
    return descriptor;
  }

  #isMissing(path: string): undefined {
    this.#missing.add(path);
  }
}
