import { copyFile, constants, mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** A binary as it was last built without error, with the configuration that belongs to it. */
export interface GoodBinary {
  executable: string;
  config: string;
}

export const goodBinary = (projectDir: string, preset: string, binary: string): GoodBinary => {
  const folder = join(projectDir, "build", preset, "last-good");
  return { executable: join(folder, binary), config: join(folder, `${binary}.json`) };
};

/** The kept binary, or undefined when it was never built. */
export async function findGoodBinary(
  projectDir: string,
  preset: string,
  binary: string,
): Promise<GoodBinary | undefined> {
  const good = goodBinary(projectDir, preset, binary);
  const found = await Promise.all([stat(good.executable), stat(good.config)]).catch(() => undefined);
  return found?.every((entry) => entry.isFile()) ? good : undefined;
}

async function replace(from: string, to: string): Promise<void> {
  const temporary = `${to}.new`;
  await rm(temporary, { force: true });
  await copyFile(from, temporary, constants.COPYFILE_FICLONE);
  await rename(temporary, to);
}

/**
 * Keeps a freshly built binary and its configuration. Renamed into place: a process that runs the
 * one before is not disturbed, and a full disk leaves the one before as it was.
 */
export async function keepGoodBinary(
  projectDir: string,
  preset: string,
  binary: string,
): Promise<GoodBinary> {
  const good = goodBinary(projectDir, preset, binary);
  await mkdir(join(projectDir, "build", preset, "last-good"), { recursive: true });
  await replace(join(projectDir, "build", preset, binary), good.executable);
  await replace(join(projectDir, "generated", "config", `${binary}.json`), good.config);
  return good;
}
