import { setDockTab } from "../../kernel/document/index.js";
import { ask } from "../../kernel/server/api.js";
import { askOfProject, saveAll } from "../../kernel/run/runActions.js";

/** Saves, then has the server build and run the benchmarks (of one service, or all) and shows them. */
export async function measure(service?: string): Promise<void> {
  if (!(await saveAll())) return;
  setDockTab("bench");
  const body = service === undefined ? {} : { service };
  await askOfProject("Not measured", (project) => ask("startBench", { project }, { body }));
}

export async function cancelMeasuring(): Promise<void> {
  await askOfProject("Not cancelled", (project) => ask("cancelBench", { project }));
}
