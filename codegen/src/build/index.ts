export { builderOf, takeBuildLock } from "./buildLock.js";
export * from "./buildProject.js";
export { findGoodBinary, goodBinary, type GoodBinary, KEPT_FIGURES } from "./kept.js";
export * from "./missingTools.js";
export { BUILD_LIMITS, runTool, type ToolEnd } from "./tool.js";
export { OutputTail } from "./outputTail.js";
