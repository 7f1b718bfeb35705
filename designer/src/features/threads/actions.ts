import { stageRef } from "../../kernel/document/edits/flows.js";
import { documentStore, select } from "../../kernel/document/index.js";
import { setPins } from "../../kernel/run/setPins.js";
import { changeJoin } from "../../kernel/run/changeJoin.js";
import { shownProject } from "../../kernel/run/shownProject.js";
import { stageRuns, type StageName } from "../../drawing/queries/runsIn.js";
import { toast } from "../../kernel/ui/index.js";

/**
 * Joins a stage to a pool, in the running binary as well. Where it runs there already nothing changes: a
 * fused one would get a queue before it that nobody asked for.
 */
export async function joinToPool(binary: string, { flow, stage }: StageName, pool: string): Promise<void> {
  const { topology } = documentStore.getState();
  const drawn = topology.binaries.find(({ name }) => name === binary);
  const run = (drawn ? stageRuns(topology, drawn) : []).find(
    ({ stage: of }) => of?.flow === flow && of.stage === stage,
  );
  select(stageRef(flow, stage));
  if (!run || run.spots.every((spot) => spot.pool === pool)) return;
  const project = shownProject();
  const refusal = await changeJoin(flow, stage, { pool });
  if (refusal && project.isShown())
    toast("The join was not changed", { tone: "warn", body: `${refusal.reason} ${refusal.help}`.trim() });
}

/** Pins a thread to the CPU of a lane (null: anywhere), at once where it runs. */
export function pinToLane(
  binary: string,
  pool: string,
  index: number,
  cpu: number | null,
  running: boolean,
): void {
  select(`pool:${binary}/${pool}`);
  void setPins(binary, pool, index, cpu === null ? [] : [cpu], running);
}
