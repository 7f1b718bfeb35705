import { generateKeyPairSync, randomBytes } from "node:crypto";
import { closeSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { ConfinedFolder, LockedError, takeLock, type Lock } from "../../disk/index.js";
import { KEYS_FOLDER } from "../../run/index.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure } from "../verb/failure.js";

const LOCK = ".lock";
/** What a killed run leaves: files that were to become others. Those of the lock may be another's at work. */
const LITTER = /^(?!\.lock).*\.[0-9a-f]{12}$/;
/** A key or certificate with what it needs is below 1 kB; what others put here may be longer. */
const MOST_BYTES = 64 * 1024;

/** An Ed25519 key, PEM. */
const newKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/**
 * The folder `keys/` of a project, for its owner alone. Each of its files is there as a whole or not at all, and
 * nobody else can read it at any time; no link leads out of it.
 */
export class KeyFolder {
  private constructor(private readonly project: ConfinedFolder) {}

  /**
   * What `use` makes of the folder, which is made where it is missing, while no other process changes it.
   * @param onStep told before each change on disk: tests stop there
   * @throws {Failure} where another process does
   */
  static async locked<T>(
    dir: string,
    use: (keys: KeyFolder) => Promise<T>,
    onStep?: (step: string) => void,
  ): Promise<T> {
    const root = realpathSync(dir);
    const within = async (project: ConfinedFolder): Promise<T> => {
      project.keepToOwner(KEYS_FOLDER);
      const lock = await lockOf(join(root, KEYS_FOLDER, LOCK));
      try {
        const keys = new KeyFolder(project);
        await keys.#tidy();
        return await use(keys);
      } finally {
        await lock.release();
      }
    };
    return ConfinedFolder.within(root, within, onStep);
  }

  /** undefined when there is none. */
  read(name: string): string | undefined {
    return this.project.read(`${KEYS_FOLDER}/${name}`, MOST_BYTES);
  }

  /** Names of the files of keys and certificates. */
  names(): string[] {
    return this.project.list(KEYS_FOLDER).filter((name) => /^[^.].*\.(?:crt|key)$/.test(name));
  }

  write(name: string, text: string): Promise<void> {
    return this.project.replace(`${KEYS_FOLDER}/${name}`, text, { mode: 0o600, durable: true });
  }

  /**
   * A new key and the certificate that `certify` makes for it, in the place of those of that name. Nothing has changed
   * when it fails; a crash may leave the new key beside the old certificate, which the next run sees.
   */
  async writePair(name: string, certify: (key: number) => Promise<string>): Promise<string> {
    const waiting = `${name}.key.${randomBytes(6).toString("hex")}`;
    const path = `${KEYS_FOLDER}/${waiting}`;
    try {
      this.project.create(path, newKey(), 0o600);
      const certificate = await this.withFile(waiting, certify);
      await this.project.flush([path]);
      this.project.rename(path, `${KEYS_FOLDER}/${name}.key`);
      await this.write(`${name}.crt`, certificate);
      return certificate;
    } catch (error) {
      this.project.removeIfThere(path);
      throw error;
    }
  }

  /** What `use` makes of a file that is there, open. */
  async withFile<T>(name: string, use: (descriptor: number) => Promise<T>): Promise<T> {
    const file = this.project.open(`${KEYS_FOLDER}/${name}`);
    if (file === undefined) throw new Error(`${name} is gone`);
    try {
      return await use(file.descriptor);
    } finally {
      closeSync(file.descriptor);
    }
  }

  /** Makes a file its owner's alone; false when it was that already. */
  async keepToOwner(name: string): Promise<boolean> {
    const stats = this.project.stat(`${KEYS_FOLDER}/${name}`);
    const text = this.read(name);
    if (stats === undefined || text === undefined || (stats.mode & 0o077) === 0) return false;
    await this.write(name, text);
    return true;
  }

  /** Takes away what killed runs left, and keeps all of it out of git. */
  async #tidy(): Promise<void> {
    for (const name of this.project.list(KEYS_FOLDER))
      if (LITTER.test(name)) this.project.removeAll(`${KEYS_FOLDER}/${name}`);
    if (this.read(".gitignore")?.split("\n").includes("*") !== true) await this.write(".gitignore", "*\n");
  }
}

const lockOf = (path: string): Promise<Lock> =>
  takeLock(path, "keys").catch((error: unknown) => {
    if (!(error instanceof LockedError)) throw error;
    throw new Failure(
      EXIT.environment,
      "PS997",
      `another process makes keys of this project (process ${error.pid})`,
      "Try again when it has finished.",
    );
  });
