import { changePool, pinnedThread } from "../document/edits/binaries.js";
import { edit } from "../document/index.js";
import { writtenCpus } from "../document/cpus.js";
import { applyLive } from "./applyCommand.js";

/** Pins one thread to CPUs: first in the running binary, then on the drawing. */
export async function setPins(
  binary: string,
  pool: string,
  index: number,
  cpus: readonly number[],
  running: boolean,
): Promise<void> {
  const label = `${pool}·${index} → ${cpus.length > 0 ? `CPU ${writtenCpus(cpus)}` : "any CPU"}`;
  const draw = () =>
    void edit(label, (model) => changePool(model, binary, pool, (item) => pinnedThread(item, index, cpus)));
  if (running) await applyLive(binary, "pool.pin", { pool, thread: index, cpus: [...cpus] }, draw);
  else draw();
}
