import { startOrder, type Topology } from "../model/topology/index.js";

/**
 * Stops binaries in the order in which what is under way can still end: who calls before those that it calls, who call each other
 * together. All at once where there is no drawing to go by; from when `hurries` resolves the rest is not waited for one after the
 * other. Stops all of them also where one cannot be stopped, and rejects with why once the others are.
 */
export async function stopInOrder(
  topology: Topology | undefined,
  names: readonly string[],
  stop: (name: string) => Promise<unknown>,
  hurries?: Promise<unknown>,
): Promise<void> {
  const groups = topology === undefined ? [names] : startOrder(topology, names).reverse();
  const all: Promise<PromiseSettledResult<unknown>[]>[] = [];
  for (const group of groups) {
    const stopped = Promise.allSettled(group.map(async (name) => stop(name)));
    all.push(stopped);
    await (hurries ? Promise.race([stopped, hurries]) : stopped);
  }
  for (const one of (await Promise.all(all)).flat()) if (one.status === "rejected") throw one.reason;
}
