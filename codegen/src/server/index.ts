export * from "./startServer.js";
export { listServers, type RunningServer } from "./serverRegistry.js";
export { makeLaunchPage } from "./session/launchPage.js";
