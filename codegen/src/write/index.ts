export { changingHandlers, type HandlerFile } from "./changingHandlers.js";
export { CodeReader } from "./codeReader.js";
export { DrawingFollower } from "./followDrawing.js";
export { otherCode } from "./otherCode.js";
export type { MovedSource, ProjectFile, ProjectTree } from "./projectFile.js";
export {
  generatedSources,
  hashOfManifest,
  lastFollowed,
  sourceStates,
  type SourceState,
} from "./sourceStates.js";
export { undrawnWords, type UndrawnWord } from "./undrawnWords.js";
export { withChanges } from "./wordChanges.js";
export {
  recoverProject,
  writeProject,
  type LeftInFile,
  type WriteOptions,
  type WriteResult,
} from "./writeProject.js";
