/** Presets of a project's CMakePresets.json. */
export const BUILD_PRESETS = ["release", "fastest", "dev", "asan", "tsan"] as const;
export type BuildPreset = (typeof BUILD_PRESETS)[number];
