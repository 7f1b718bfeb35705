import { existsSync, realpathSync } from "node:fs";
import { ConfinedFolder, WriteRefusal } from "./disk/index.js";
import { loadNodes, type Nodes, type Package } from "./nodes/index.js";

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

/** The same as they are told: manifests, with what stands beside them. */
export function listNodes(dir?: string) {
  const { packages, sourcePackages, problems } = projectNodes(dir);
  return {
    nodes: [...packages.values()].map(told),
    sources: [...sourcePackages.values()].map(told),
    problems,
  };
}

const told = <Manifest>({ manifest, documentation, own }: Package<Manifest>) => ({
  ...manifest,
  documentation,
  own,
});
