import { nodeAtPath, type Topology } from "../model/topology/index.js";
import { pointerOf } from "../model/diagnostics/index.js";

/** A place in the drawing that holds C++ of the user's. */
export interface DrawnPlace {
  pointer: string;
  node?: string;
}

const MARKED = /(?:^|\/)topology\.json#(.+)$/;

/** A `#line` of the user's may write anything behind the mark. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The place that a compiler names by the mark which generated code puts before an expression of the
 * drawing: `topology.json#services/Big/node/settings/condition`, names instead of indexes so that an
 * insertion elsewhere changes no generated file. Undefined for any other file.
 */
export function drawnPlace(topology: Topology | undefined, file: string): DrawnPlace | undefined {
  const [list, name, ...rest] = MARKED.exec(file)?.[1]?.split("/").map(decoded) ?? [];
  if (topology === undefined || (list !== "services" && list !== "flows")) return undefined;
  const index = topology[list].findIndex((one) => one.name === name);
  if (index < 0) return undefined;
  const path = [list, index, ...rest];
  const node = nodeAtPath(topology, path);
  return { pointer: pointerOf(...path), ...(node === undefined ? {} : { node }) };
}
