import type { CommandMap, CommandMethod, JoinAsked } from "@penstock/codegen/protocol";
import { addMark, asRunning } from "../live/liveStore.js";
import { rateWords } from "../live/sourceRate.js";
import { api } from "../server/api.js";
import { projectStore } from "../server/projectStore.js";

/** What a change is called on the charts. */
const LABELS: { [M in CommandMethod]: (params: CommandMap[M]["params"]) => string } = {
  "pool.resize": ({ pool, threads }) => `${pool}: ${threads} ${threads === 1 ? "thread" : "threads"}`,
  "pool.pin": ({ pool, thread, cpus }) =>
    `${pool}·${thread} → ${cpus.length > 0 ? `CPU ${cpus.join(", ")}` : "any CPU"}`,
  "source.set": ({ flow, perSecond }) => `${flow}: ${rateWords(perSecond)}`,
  "sampling.set": ({ per128 }) => `sampling ${per128} in 128`,
  "join.set": ({ stage, join }) => `${stage}: ${joinWords(join)}`,
  "join.remove": ({ stage }) => `${stage}: no join`,
};

/** `join on front`, `join with 4 threads`. */
export const joinWords = (join: JoinAsked): string => {
  if ("pool" in join) return `join on ${join.pool}`;
  if (join.threads === "cached") return "join with cached threads";
  return `join with ${join.threads} ${join.threads === 1 ? "thread" : "threads"}`;
};

/**
 * Changes the running binary of the open project. Resolves when the change is in force, with what
 * was asked and what the system made of it; rejects with an ApiFailure that says why not.
 */
export async function sendCommand<M extends CommandMethod>(
  binary: string,
  method: M,
  params: CommandMap[M]["params"],
): Promise<CommandMap[M]["result"]> {
  const { project } = projectStore.getState();
  if (project === null) throw new Error("no project is open");
  const running = asRunning(binary, params);
  const result = await api.command(project, running.binary, method, running.params);
  addMark(running.binary, LABELS[method](params));
  return result;
}
