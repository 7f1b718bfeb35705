import type { LoadRequest } from "@penstock/codegen/contract";
import { setDockTab } from "../../kernel/document/index.js";
import { ask } from "../../kernel/server/api.js";
import { runningTarget } from "../../kernel/run/loadedFlow.js";
import { askOfProject } from "../../kernel/run/runActions.js";

/** Has the server load what runs, by its names there, and shows it. */
export async function startLoad(asked: LoadRequest): Promise<void> {
  setDockTab("load");
  const body = { ...asked, target: runningTarget(asked.target) };
  await askOfProject("Not loaded", (project) => ask("startLoad", { project }, { body }));
}

export async function stopLoad(): Promise<void> {
  await askOfProject("Not stopped", (project) => ask("cancelLoad", { project }));
}
