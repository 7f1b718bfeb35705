export * from "./threadLayout.js";
export * from "./differences.js";
export * from "./rearrange.js";
export * from "./presets.js";
export * from "./runsOn.js";
export * from "./tune.js";
export * from "./poolSize.js";
export * from "./bringBack.js";
