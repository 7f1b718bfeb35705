export { lastFollowed } from "./lastFollowed.js";
export type { ProjectFile, ProjectTree } from "./projectFile.js";
export { generatedSources, sourceStates, type SourceState } from "./sourceStates.js";
export { undrawnWords, withWords } from "./undrawnWords.js";
export { recoverProject, writeProject, type WriteOptions, type WriteResult } from "./writeProject.js";
