export { loadNodes, standardNodes, type Nodes } from "./loadNodes.js";
export type { NodeFolder, NodePackage } from "./nodePackage.js";
export type { SourcePackage } from "./sourcePackage.js";
