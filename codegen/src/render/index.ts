export type { FileTree, TreeFile } from "./fileTree.js";
export { NodeTemplateError } from "./nodeTemplate.js";
export { renderProject } from "./renderProject.js";
