import { COMMANDS, type CommandMap, type CommandMethod } from "@penstock/codegen/contract";
import { addMark, asRunning } from "../live/liveStore.js";
import { ask, ApiFailure } from "../server/api.js";
import { projectStore } from "../server/projectStore.js";

/**
 * Changes the running binary of the open project. Resolves when the change is in force, with what
 * was asked and what the system made of it; rejects with an ApiFailure that says why not.
 *
 * @param project of which it is, where that may be open no longer
 */
export async function sendCommand<M extends CommandMethod>(
  binary: string,
  method: M,
  params: CommandMap[M]["params"],
  project = projectStore.getState().project,
): Promise<CommandMap[M]["result"]> {
  if (project === null) throw new Error("no project is open");
  const running = asRunning(binary, params);
  if (!running) throw new ApiFailure(409, "refused", `${binary} does not run`, "Press Run first.", [], null);
  const result = await ask(
    "sendCommand",
    { project, binary: running.binary },
    { body: { method, params: { ...running.params } } },
  );
  addMark(running.binary, COMMANDS[method].label(params as never));
  return result as CommandMap[M]["result"];
}
