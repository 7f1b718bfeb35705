export { loadNodes, standardNodes, type Nodes } from "./loadNodes.js";
export type { NodePackage } from "./nodePackage.js";
export type { Package, PackageFolder } from "./readPackage.js";
export { variablesRead } from "./nodePackage.js";
export type { SourcePackage } from "./sourcePackage.js";
