import type { LoadRequest } from "@penstock/codegen/contract";
import { setDockTab } from "../../kernel/document/index.js";
import { ask } from "../../kernel/server/api.js";
import { openProjectId, sayFailure } from "../../kernel/run/runActions.js";

/** Has the server load what runs, and shows it. */
export async function startLoad(asked: LoadRequest): Promise<void> {
  setDockTab("load");
  try {
    await ask("startLoad", { project: openProjectId() }, { body: asked });
  } catch (error) {
    sayFailure("Not loaded", error);
  }
}

export async function stopLoad(): Promise<void> {
  await ask("cancelLoad", { project: openProjectId() }).catch((error: unknown) =>
    sayFailure("Not stopped", error),
  );
}
