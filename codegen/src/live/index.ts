export * from "./callService.js";
export * from "./connectLive.js";
export * from "./filterSample.js";
export * from "./replicas/liveReplicas.js";
