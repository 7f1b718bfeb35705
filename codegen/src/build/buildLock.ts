import { join } from "node:path";
import { holderOf, takeLock, type Lock } from "../disk/index.js";

const lockOf = (projectDir: string): string => join(projectDir, "build", "penstock-build.lock");

/** For who writes in `build/`, or measures what is there: one at a time. Throws LockedError when another process does. */
export const takeBuildLock = (projectDir: string, what: "build" | "bench"): Promise<Lock> =>
  takeLock(lockOf(projectDir), what);

/** Pid of the process that builds or measures there; undefined for none. */
export const builderOf = (projectDir: string): Promise<number | undefined> => holderOf(lockOf(projectDir));
