export { writeFileAtomic } from "./atomicFile.js";
export * from "./format.js";
export * from "./projectId.js";
export * from "./refusal.js";
export * from "./sourceFiles.js";
export * from "./workspace.js";
export { dropPendingRenames, readPendingRenames, renamesSchema } from "./pendingRenames.js";
export { contentHash, isRevision } from "./revision.js";
export { placeOf } from "./saveDrawing.js";
