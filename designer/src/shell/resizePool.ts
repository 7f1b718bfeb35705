import { drawnWithPoolSize } from "@penstock/codegen/arrange";
import { edit, withTopology } from "../document/index.js";
import { sendCommand } from "../server/commands.js";
import { sayFailure } from "./runActions.js";

/** Resizes a pool of the running binary, and the drawing with it once it is in force. */
export async function resizePool(binary: string, pool: string, threads: number): Promise<void> {
  try {
    const { actual } = await sendCommand(binary, "pool.resize", { pool, threads });
    edit(`Use ${actual} threads in ${pool}`, (model) =>
      withTopology(model, drawnWithPoolSize(model.topology, binary, pool, actual)),
    );
  } catch (error) {
    sayFailure(`${pool} keeps its threads`, error);
  }
}
