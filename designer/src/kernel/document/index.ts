export * from "./autosave.js";
export * from "./hooks.js";
export * from "./model.js";
export * from "./open.js";
export * from "./store.js";
export * from "./workbench.js";
