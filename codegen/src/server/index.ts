export * from "./startServer.js";
export { type RunningServer } from "./serverRegistry.js";
