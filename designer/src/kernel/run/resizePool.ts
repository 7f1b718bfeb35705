import { drawnWithPoolSize } from "@penstock/codegen/arrange";
import type { ThreadRange } from "@penstock/codegen/topology";
import { boundedPool, changePool } from "../document/edits/binaries.js";
import { edit, withTopology } from "../document/index.js";
import { drawnName } from "../live/liveStore.js";
import { sayFailure } from "./runActions.js";
import { shownProject } from "./shownProject.js";

/**
 * Resizes a pool of a binary, by the name that it runs by, and the drawing with it once it is in force. Resolves with the threads
 * that it has then; undefined when it was refused, which is said, or another project is shown by then.
 */
export async function resizePool(binary: string, pool: string, threads: number): Promise<number | undefined> {
  const project = shownProject();
  try {
    const { actual } = await project.send(drawnName(binary), "pool.resize", { pool, threads });
    const isShown = project.draw(
      () =>
        void edit(`Use ${actual} threads in ${pool}`, (model) =>
          withTopology(model, drawnWithPoolSize(model.topology, drawnName(binary), pool, actual)),
        ),
    );
    return isShown ? actual : undefined;
  } catch (error) {
    sayFailure(`${pool} keeps its threads`, error, project);
    return undefined;
  }
}

/** Gives a pool of a binary, by the name that it runs by, other bounds, and the drawing with it; a refusal is said. */
export async function allowThreads(binary: string, pool: string, { from, to }: ThreadRange): Promise<void> {
  const project = shownProject();
  try {
    await project.send(drawnName(binary), "pool.adapt", { pool, adapt: { from, to } });
    project.draw(
      () =>
        void edit(`${pool}: ${from} to ${to} threads`, (model) =>
          changePool(model, drawnName(binary), pool, (item) => boundedPool(item, { from, to })),
        ),
    );
  } catch (error) {
    sayFailure(`${pool} keeps its bounds`, error, project);
  }
}
