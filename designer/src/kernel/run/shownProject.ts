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
  /** It is shown still: what a binary of another one refuses is no word on what is drawn here. */
  isShown: () => boolean;
  /** Draws while the project is shown still; false: another one is by now, in which nothing is drawn. */
  draw: (change: () => void) => boolean;
}

/** The project that is shown now, for as long as its binaries are asked: what is opened meanwhile may have the same names. */
export function shownProject(): ShownProject {
  const { projectId } = documentStore.getState();
  const isShown = (): boolean => documentStore.getState().projectId === projectId;
  return {
    isShown,
    send: (binary, method, params) => sendCommand(binary, method, params, projectId),
    draw: (change) => {
      const shown = isShown();
      if (shown) change();
      return shown;
    },
  };
}
