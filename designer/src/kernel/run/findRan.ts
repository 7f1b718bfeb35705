import { parseTopology, topologyHash } from "@penstock/codegen/topology";
import { isAlive, projectStore } from "../server/projectStore.js";
import { ask } from "../server/api.js";
import { structureOf } from "./pendingLive.js";
import { rememberRan, structureThatRan } from "./ranModels.js";

/** Looked for once each: what is not among the kept saves now is not there later. */
const sought = new Set<string>();

/**
 * Looks through the kept saves for what the running binaries were made of, where this browser does not know it: another
 * one has started them, and the drawing was changed since. Without it every change would seem to need a build.
 */
export async function findRan(): Promise<void> {
  const { project, binaries, topologyHash: drawn } = projectStore.getState();
  if (project === null || drawn === "") return;
  const hashes = new Set(
    binaries
      .filter(isAlive)
      .map(({ topologyHash: hash }) => hash ?? "")
      .filter((hash) => hash !== "" && hash !== drawn && !structureThatRan(hash) && !sought.has(hash)),
  );
  if (hashes.size === 0) return;
  for (const hash of hashes) sought.add(hash);
  try {
    for (const { revision } of await ask("revisions", { project })) {
      if (projectStore.getState().project !== project) return;
      const { topology } = parseTopology((await ask("revision", { project, revision })).topology);
      const hash = topology ? topologyHash(topology) : "";
      if (topology && hashes.delete(hash)) rememberRan(hash, structureOf(topology));
      if (hashes.size === 0) return;
    }
  } catch {
    // It goes on as unknown: a build brings drawing and binary together, too.
  }
}
