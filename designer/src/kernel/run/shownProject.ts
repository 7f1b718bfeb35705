import type { CommandMap, CommandMethod } from "@penstock/codegen/contract";
import { sendCommand } from "../connection/commands.js";
import { documentStore } from "../document/index.js";

/** What the running binaries of one project are asked, and what is drawn of it. */
export interface ShownProject {
  send: <M extends CommandMethod>(
    binary: string,
    method: M,
    params: CommandMap[M]["params"],
  ) => Promise<CommandMap[M]["result"]>;
  /** Draws while the project is shown still; false: another one is by now, in which nothing is drawn. */
  draw: (change: () => void) => boolean;
}

/** The project that is shown now, for as long as its binaries are asked: what is opened meanwhile may have the same names. */
export function shownProject(): ShownProject {
  const { projectId } = documentStore.getState();
  return {
    send: (binary, method, params) => sendCommand(binary, method, params, projectId),
    draw: (change) => {
      const isShown = documentStore.getState().projectId === projectId;
      if (isShown) change();
      return isShown;
    },
  };
}
