import type { LoadRequest } from "@penstock/codegen/protocol";
import { setDockTab } from "../../kernel/document/index.js";
import { api } from "../../kernel/server/api.js";
import { openProjectId, sayFailure } from "../../kernel/run/runActions.js";

/** Has the server load what runs, and shows it. */
export async function startLoad(asked: LoadRequest): Promise<void> {
  setDockTab("load");
  try {
    await api.load(openProjectId(), asked);
  } catch (error) {
    sayFailure("Not loaded", error);
  }
}

export async function stopLoad(): Promise<void> {
  await api.cancelLoad(openProjectId()).catch((error: unknown) => sayFailure("Not stopped", error));
}
