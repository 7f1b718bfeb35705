import { statSync } from "node:fs";
import path from "node:path";
import { usageFailure } from "../verb/failure.js";

/** A project as named on the command line: absolute folder, and its topology file. */
export interface ProjectPlace {
  dir: string;
  topologyFile: string;
}

/**
 * Finds the project that `argument` names: a folder that holds `topology.json`, that file itself,
 * or the current folder when left out.
 */
export function projectPlace(argument: string | undefined): ProjectPlace {
  const target = path.resolve(argument ?? ".");
  const info = statSync(target, { throwIfNoEntry: false });
  const shown = argument ?? "the current folder";
  if (info === undefined) {
    throw usageFailure(`${shown} does not exist`, "Name a folder that holds a topology.json, or that file.");
  }
  const topologyFile = info.isDirectory() ? path.join(target, "topology.json") : target;
  if (
    path.basename(topologyFile) !== "topology.json" ||
    statSync(topologyFile, { throwIfNoEntry: false })?.isFile() !== true
  ) {
    throw usageFailure(
      `${shown} is no Penstock project: there is no topology.json`,
      "`penstock init DIR` makes a project; else name a folder that holds a topology.json.",
    );
  }
  return { dir: path.dirname(topologyFile), topologyFile };
}
