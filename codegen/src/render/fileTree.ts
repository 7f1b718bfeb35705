import type { NodeRef } from "../model/topology/index.js";

/**
 * A project in memory. `generated` files belong to Penstock and live below `generated/`; `yours`
 * are written as a start and belong to the user from his first edit on.
 */
export interface TreeFile {
  /** Relative to the project, with `/`; made of checked names only. */
  path: string;
  text: string;
  owner: "generated" | "yours";
  /** What it belongs to on the canvas; "" for the project as a whole. */
  node: NodeRef | "";
  /**
   * What stands at `path` is needed by the build (a handler): made again whenever it is missing.
   * Others that the user deleted stay deleted.
   */
  required: boolean;
}

/** Files by path, in the order in which they are made. */
export type FileTree = ReadonlyMap<string, TreeFile>;
