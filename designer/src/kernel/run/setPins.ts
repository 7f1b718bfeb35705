import { isThreadRange, threadName } from "@penstock/codegen/topology";
import { changePool, pinnedThread } from "../document/edits/binaries.js";
import { documentStore, edit } from "../document/index.js";
import { writtenCpus } from "../document/cpus.js";
import { applyLive } from "./applyCommand.js";
import { toast } from "../ui/index.js";

/** Pins one thread to CPUs: first in the running binary, then on the drawing. */
export async function setPins(
  binary: string,
  pool: string,
  index: number,
  cpus: readonly number[],
  running: boolean,
): Promise<void> {
  const label = `${threadName(pool, index)} → ${cpus.length > 0 ? `CPU ${writtenCpus(cpus)}` : "any CPU"}`;
  const drawn = documentStore
    .getState()
    .topology.binaries.find((item) => item.name === binary)
    ?.pools.find((item) => item.name === pool);
  if (drawn && isThreadRange(drawn.threads)) {
    toast(`The threads of ${pool} come and go`, {
      tone: "warn",
      body: "Only threads that stay can be pinned: give the pool a number of threads.",
    });
    return;
  }
  const draw = () =>
    void edit(label, (model) => changePool(model, binary, pool, (item) => pinnedThread(item, index, cpus)));
  if (running) await applyLive(binary, "pool.pin", { pool, thread: index, cpus: [...cpus] }, draw);
  else draw();
}
