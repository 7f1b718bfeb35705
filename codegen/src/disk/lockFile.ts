import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, open, unlink, writeFile } from "node:fs/promises";
import { isSameProcess, processStartTime } from "../process/index.js";

interface Holder {
  pid: number;
  startTime: string;
  what: string;
}

/** Thrown when another live process holds the lock; `pid` is that process. */
export class LockedError extends Error {
  constructor(
    readonly path: string,
    readonly pid: number,
    readonly what: string,
  ) {
    super(`${path} is held by process ${pid} (${what})`);
  }
}

export interface Lock {
  /** Gives it back; does nothing the second time. */
  release(): Promise<void>;
}

const fileCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** "" for what is no regular file: nobody's lock, and nothing to wait for or to be led away by. */
async function readPlain(path: string): Promise<string> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (fileCode(error) === "ELOOP") return undefined;
    throw error;
  });
  try {
    return file !== undefined && (await file.stat()).isFile() ? await file.readFile("utf8") : "";
  } finally {
    await file?.close();
  }
}

async function readHolder(path: string): Promise<{ text: string; holder: Holder | null } | null> {
  let text: string;
  try {
    text = await readPlain(path);
  } catch (error) {
    if (fileCode(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const value = JSON.parse(text) as Partial<Holder>;
    if (typeof value.pid === "number" && typeof value.startTime === "string") {
      return { text, holder: { pid: value.pid, startTime: value.startTime, what: String(value.what ?? "") } };
    }
  } catch {
    // A holder that died while it wrote leaves half a line: as stale as a dead one.
  }
  return { text, holder: null };
}

/**
 * Makes the file with its whole content in one step; false when there is one already. Written and
 * then linked: nobody ever reads a lock that is half written and takes it for a stale one.
 */
async function createWhole(path: string, text: string): Promise<boolean> {
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(aside, text, { flag: "wx", mode: 0o600 });
  try {
    await link(aside, path);
    return true;
  } catch (error) {
    if (fileCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(aside);
  }
}

const isAlive = (holder: Holder | null): holder is Holder =>
  holder !== null && isSameProcess(holder.pid, holder.startTime);

/**
 * Takes the lock file at `path` for this process, or throws LockedError naming who has it. A
 * lock whose process is gone (pid and start time compared) is stale and taken over.
 *
 * @param what for people: what holds it, shown to whoever is refused
 */
export async function takeLock(path: string, what: string): Promise<Lock> {
  const holder = { pid: process.pid, startTime: processStartTime(process.pid), what };
  const mine = JSON.stringify({ ...holder, nonce: randomBytes(6).toString("hex") });
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await createWhole(path, mine)) return { release: () => releaseLock(path, mine) };
    const found = await readHolder(path);
    if (!found) continue;
    if (isAlive(found.holder)) throw new LockedError(path, found.holder.pid, found.holder.what);
    await breakStale(path, mine);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${path}: could not be locked, it changes hands all the time`);
}

/** Pid of the live process, this one too, that holds the lock file at `path`; undefined for none. */
export async function holderOf(path: string): Promise<number | undefined> {
  const found = await readHolder(path).catch(() => null);
  return found && isAlive(found.holder) ? found.holder.pid : undefined;
}

/** takeLock() that waits up to `limitMs` for a live holder: for what holds it a moment, not for a build. */
export async function takeLockWithin(path: string, what: string, limitMs: number): Promise<Lock> {
  const until = performance.now() + limitMs;
  for (;;) {
    try {
      return await takeLock(path, what);
    } catch (error) {
      if (!(error instanceof LockedError) || performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Removes a stale lock. Many may find it stale at once, and the second must not remove the lock
 * that the first has taken meanwhile: only who holds the breaker looks again and removes.
 */
async function breakStale(path: string, mine: string): Promise<void> {
  const breaker = `${path}.break`;
  if (!(await createWhole(breaker, mine))) {
    const other = await readHolder(breaker);
    if (other && !isAlive(other.holder)) await unlink(breaker).catch(() => undefined);
    return;
  }
  try {
    const found = await readHolder(path);
    if (found && !isAlive(found.holder)) await unlink(path);
  } finally {
    await unlink(breaker).catch(() => undefined);
  }
}

async function releaseLock(path: string, mine: string): Promise<void> {
  const found = await readHolder(path).catch(() => null);
  if (found?.text === mine) await unlink(path).catch(() => undefined);
}
