export * from "./startServer.js";
export { LIMITS } from "./defaults.js";
export { type RunningServer } from "./serverRegistry.js";
