export * from "./callService.js";
export * from "./connectLive.js";
export * from "./filterSample.js";
