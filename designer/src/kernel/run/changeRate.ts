import { rateTimes } from "@penstock/codegen/contract";
import { documentStore, edit } from "../document/index.js";
import { binariesOfFlow } from "../document/edits/binaries.js";
import { setRate } from "../document/edits/flows.js";
import { findTrack, isHeard, runningName } from "../live/liveStore.js";
import { processesOf, projectStore, type ProjectState } from "../server/projectState.js";
import { toast } from "../ui/index.js";
import { rateToAsk } from "./pendingLive.js";
import { shownProject } from "./shownProject.js";

/** The source of a flow in one of the binaries that run it. */
export interface RunningSource {
  binary: string;
  kind: string;
  /** Of all its processes. */
  perSecond: number | null;
  emitted: number;
}

/** The sources of a flow, in each binary that runs it and is heard of. */
export function runningSources(flow: string): RunningSource[] {
  return binariesOfFlow(documentStore.getState().topology, flow).flatMap(({ name: binary }) => {
    const figures = isHeard(binary) ? findTrack(binary)?.flows.get(flow)?.figures : undefined;
    if (!figures) return [];
    const { source: kind, perSecond, emitted } = figures;
    return [{ binary, kind, perSecond, emitted }];
  });
}

/** What a binary is asked for: a rate is drawn for each process, and asked for of all together. */
const rateOfAll = (
  binary: string,
  perSecond: number | undefined,
  { binaries }: Pick<ProjectState, "binaries"> = projectStore.getState(),
): number => rateTimes(rateToAsk(perSecond), processesOf({ binaries }, runningName(binary) ?? ""));

/** Whether a source makes as many events as a rate would have it make. */
export const hasRate = (
  { binary, perSecond }: RunningSource,
  wanted: number | undefined,
  project?: Pick<ProjectState, "binaries">,
): boolean => rateToAsk(perSecond) === rateOfAll(binary, wanted, project);

/**
 * Gives the source of a flow another rate: first in every binary that runs it as it is drawn, then, once in force
 * there, in the drawing. What one refuses changes nothing anywhere, and the reason is shown.
 */
export async function changeRate(flow: string, perSecond: number | undefined): Promise<void> {
  const drawn = documentStore.getState().topology.flows.find(({ name }) => name === flow)?.source.kind;
  const project = shownProject();
  const set = (binary: string, rate: number) => project.send(binary, "source.set", { flow, perSecond: rate });
  // One that was drawn as another kind since it runs needs a build, its rate included.
  const toAsk = runningSources(flow)
    .filter((source) => source.kind === drawn && !hasRate(source, perSecond))
    .map((source) => ({ source, rate: rateOfAll(source.binary, perSecond) }));
  const done: RunningSource[] = [];
  for (const { source, rate } of toAsk)
    try {
      await set(source.binary, rate);
      done.push(source);
    } catch (error) {
      for (const before of done.toReversed())
        await set(before.binary, rateToAsk(before.perSecond)).catch(() => undefined);
      if (project.isShown()) toast(error instanceof Error ? error.message : String(error), { tone: "bad" });
      return;
    }
  project.draw(() => void edit("Set rate", (model) => setRate(model, flow, perSecond)));
}
