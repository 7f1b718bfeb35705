export type { FileTree, TreeFile } from "./fileTree.js";
export { NodeTemplateError } from "./nodeTemplate.js";
export { nodeTexts, unrenderedTexts } from "./nodeTexts.js";
export { ownNodeTexts } from "./ownNodeTexts.js";
export { renderProject } from "./renderProject.js";
