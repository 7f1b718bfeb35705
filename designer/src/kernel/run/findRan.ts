import { parseTopology, topologyHash } from "@penstock/codegen/topology";
import { isAlive, projectStore } from "../server/projectStore.js";
import { ApiFailure, ask } from "../server/api.js";
import { structureOf } from "./pendingLive.js";
import { rememberRan, structureThatRan } from "./ranModels.js";

/** Looked for, or not found: what is not among the kept saves now is not there later. */
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
  const seekLater = (): void => {
    for (const hash of hashes) sought.delete(hash);
  };
  try {
    for (const { revision } of await ask("revisions", { project })) {
      if (projectStore.getState().project !== project) return seekLater();
      const kept = await ask("revision", { project, revision }).catch(thereNoMore);
      if (kept === undefined) continue;
      const { topology } = parseTopology(kept.topology);
      const hash = topology ? topologyHash(topology) : "";
      if (topology && hashes.delete(hash)) rememberRan(hash, structureOf(topology));
      if (hashes.size === 0) return;
    }
  } catch {
    // It goes on as unknown for now: a build brings drawing and binary together, too.
    seekLater();
  }
}

/** Of a save that is damaged, or that another browser's save has pushed out meanwhile; others may be it. */
function thereNoMore(error: unknown): undefined {
  if (!(error instanceof ApiFailure) || error.status !== 404) throw error;
}
