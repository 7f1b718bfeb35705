import { askJoin, runningJoin } from "@penstock/codegen/arrange";
import type { Join } from "@penstock/codegen/topology";
import { documentStore, edit } from "../document/index.js";
import { servedElsewhere, binariesOfFlow } from "../document/edits/binaries.js";
import { setJoin } from "../document/edits/flows.js";
import { findTrack, isHeard } from "../live/liveStore.js";
import { ApiFailure } from "../server/api.js";
import { drawnRefusal, type JoinRefusal } from "./drawnRefusal.js";
import { shownProject } from "./shownProject.js";

/** The running binaries that have the flow and run the stage, with the join that is before it there. */
function runningPlaces(flow: string, stage: string): { binary: string; join: Join | null }[] {
  const { topology } = documentStore.getState();
  const service = topology.flows
    .find(({ name }) => name === flow)
    ?.stages.find(({ id }) => id === stage)?.service;
  return binariesOfFlow(topology, flow).flatMap((owner) => {
    const { name: binary } = owner;
    // Where another one runs it, that has the join from its next start on.
    if (service !== undefined && servedElsewhere(topology, owner)(service)) return [];
    const schema = isHeard(binary) ? findTrack(binary)?.schema : undefined;
    const join = schema ? runningJoin(schema, flow, stage) : undefined;
    return join === undefined ? [] : [{ binary, join }];
  });
}

const labelOf = (stage: string, join: Join | null): string => {
  if (join === null) return `Take the join before ${stage} out`;
  return "pool" in join
    ? `Join before ${stage} on ${join.pool}`
    : `Join before ${stage} with threads of its own`;
};

/**
 * Puts a join before a stage, changes it or (null) takes it out: first in every binary that runs the
 * flow, then, once in force there, in the drawing as one step. What the rules or a binary refuse changes
 * nothing anywhere; resolves with the reason then, else with undefined.
 */
export async function changeJoin(
  flow: string,
  stage: string,
  join: Join | null,
): Promise<JoinRefusal | undefined> {
  const { topology, layout, readOnly, readOnlyReason } = documentStore.getState();
  if (readOnly) return { reason: `Read only: ${readOnlyReason}`, help: "" };
  const draw = (model: { topology: typeof topology; layout: typeof layout }) =>
    setJoin(model, flow, stage, join ?? undefined);
  const refusal = drawnRefusal(topology, draw({ topology, layout }).topology);
  if (refusal) return refusal;
  const project = shownProject();
  const set = (binary: string, to: Join | null): Promise<unknown> => {
    const { method, params } = askJoin(flow, stage, to);
    return project.send(binary, method, params as never);
  };
  const done: { binary: string; join: Join | null }[] = [];
  for (const place of runningPlaces(flow, stage))
    try {
      await set(place.binary, join);
      done.push(place);
    } catch (error) {
      for (const before of done.toReversed()) await set(before.binary, before.join).catch(() => undefined);
      if (!(error instanceof ApiFailure)) throw error;
      return { reason: error.message, help: error.help };
    }
  project.draw(() => void edit(labelOf(stage, join), draw));
  return undefined;
}
