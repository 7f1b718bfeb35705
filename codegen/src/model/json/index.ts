export * from "./formatJson.js";
export * from "./places.js";
export * from "./readJson.js";
export * from "./value.js";
