export { changingHandlers, type HandlerFile } from "./changingHandlers.js";
export { CodeReader } from "./codeReader.js";
export type { ProjectFile, ProjectTree } from "./projectFile.js";
export {
  generatedSources,
  hashOfManifest,
  lastFollowed,
  sourceStates,
  type SourceState,
} from "./sourceStates.js";
export { undrawnWords, withWords } from "./undrawnWords.js";
export { recoverProject, writeProject, type WriteOptions, type WriteResult } from "./writeProject.js";
