export * from "./connectLive.js";
export * from "./filterSample.js";
