import type { LoadRequest } from "@penstock/codegen/contract";
import { setDockTab } from "../../kernel/document/index.js";
import { ask } from "../../kernel/server/api.js";
import { runningTarget } from "../../kernel/run/loadedFlow.js";
import { openProjectId, sayFailure } from "../../kernel/run/runActions.js";

/** Has the server load what runs, by its names there, and shows it. */
export async function startLoad(asked: LoadRequest): Promise<void> {
  setDockTab("load");
  try {
    const body = { ...asked, target: runningTarget(asked.target) };
    await ask("startLoad", { project: openProjectId() }, { body });
  } catch (error) {
    sayFailure("Not loaded", error);
  }
}

export async function stopLoad(): Promise<void> {
  await ask("cancelLoad", { project: openProjectId() }).catch((error: unknown) =>
    sayFailure("Not stopped", error),
  );
}
