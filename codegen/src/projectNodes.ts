import { existsSync, realpathSync } from "node:fs";
import { ConfinedFolder, WriteRefusal } from "./disk/index.js";
import { loadNodes, type Nodes } from "./nodes/index.js";

/**
 * The nodes that the project in `dir` may use: the standard ones, and its own. Without a folder the standard
 * ones. Apart from pipeline.ts, so that a look at a drawing does not wait for the generator to be read.
 */
export function projectNodes(dir?: string): Nodes {
  if (dir === undefined || !existsSync(dir)) return loadNodes();
  const folder = new ConfinedFolder(realpathSync(dir));
  try {
    return loadNodes(folder);
  } catch (error) {
    if (error instanceof WriteRefusal) return { ...loadNodes(), problems: error.problems };
    throw error;
  } finally {
    folder.close();
  }
}
