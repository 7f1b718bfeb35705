export * from "./api.js";
export * from "./bench.js";
export * from "./live.js";
export * from "./load.js";
export * from "./loadWords.js";
export * from "./serviceCall.js";
export * from "./socket.js";
export * from "./traceRows.js";
