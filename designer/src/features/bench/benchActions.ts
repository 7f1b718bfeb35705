import { setDockTab } from "../../kernel/document/index.js";
import { ask } from "../../kernel/server/api.js";
import { openProjectId, saveAll, sayFailure } from "../../kernel/run/runActions.js";

/** Saves, then has the server build and run the benchmarks (of one service, or all) and shows them. */
export async function measure(service?: string): Promise<void> {
  if (!(await saveAll())) return;
  setDockTab("bench");
  try {
    await ask("startBench", { project: openProjectId() }, { body: service === undefined ? {} : { service } });
  } catch (error) {
    sayFailure("Not measured", error);
  }
}

export async function cancelMeasuring(): Promise<void> {
  await ask("cancelBench", { project: openProjectId() }).catch((error: unknown) =>
    sayFailure("Not cancelled", error),
  );
}
