/**
 * Where a project's folder holds what Penstock keeps of its builds: beside the folders of the presets, not in them,
 * because compilers and the project's own CMake files may write those. No path that is kept here is ever made by a build.
 */
const KEPT = "build/kept";

export const keptOf = (preset: string): string => `${KEPT}/${preset}`;

/** Figures of the benchmarks. */
export const KEPT_FIGURES = `${KEPT}/bench.json`;
