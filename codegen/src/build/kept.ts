import { join } from "node:path";
import { ConfinedFolder } from "../disk/index.js";

/**
 * Where a project's folder holds what Penstock keeps of its builds: beside the folders of the presets, not in them,
 * because compilers and the project's own CMake files may write those. No path that is kept here is ever made by a build.
 */
const KEPT = "build/kept";

export const keptOf = (preset: string): string => `${KEPT}/${preset}`;

/** Figures of the benchmarks. */
export const KEPT_FIGURES = `${KEPT}/bench.json`;

/** A binary as it was last built without error, with the configuration that belongs to it. */
export interface GoodBinary {
  executable: string;
  config: string;
}

/** The same, relative to the project. */
const placeOf = (preset: string, binary: string): GoodBinary => {
  const folder = `${keptOf(preset)}/last-good`;
  return { executable: `${folder}/${binary}`, config: `${folder}/${binary}.json` };
};

export const goodBinary = (projectDir: string, preset: string, binary: string): GoodBinary => {
  const { executable, config } = placeOf(preset, binary);
  return { executable: join(projectDir, executable), config: join(projectDir, config) };
};

/** The kept binary, or undefined when it was never built. */
export function findGoodBinary(projectDir: string, preset: string, binary: string): GoodBinary | undefined {
  const { executable, config } = placeOf(preset, binary);
  const isKept = ConfinedFolder.within(
    projectDir,
    (folder) => folder.isPlainFile(executable) && folder.isPlainFile(config),
  );
  return isKept ? goodBinary(projectDir, preset, binary) : undefined;
}

/**
 * Keeps a freshly built binary and its configuration. Renamed into place: a process that runs the
 * one before is not disturbed, and a full disk leaves the one before as it was. A link in the place
 * of what was built is refused: it is the project's own CMake files that have put it there.
 */
export async function keepGoodBinary(project: ConfinedFolder, preset: string, binary: string): Promise<void> {
  const { executable, config } = placeOf(preset, binary);
  await project.replace(executable, { copyOf: `build/${preset}/${binary}`, in: project });
  await project.replace(config, { copyOf: `generated/config/${binary}.json`, in: project });
}
