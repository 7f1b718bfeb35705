import { randomInt } from "node:crypto";
import path from "node:path";
import { run } from "../setup/child.mjs";
import { buildRuntime } from "../setup/runtime.mjs";
import { outcome } from "../test/tally.mjs";

/** Of each test; a thousand of them are in `npm test`. */
const SEEDS = 30_000;

/** Of each stack of layers, of which there are eight: a million worlds in all. */
const NETWORKS = 125_000;

export const world = {
  name: "world",
  proves: `calls, pools, flows and joins keep their promises in ${SEEDS} simulated worlds a test, and layers over bad networks in a million, from a random one on`,
  usually: "20 minutes",
  async run(root, progress) {
    await buildRuntime(root, "plain", { progress }, { targets: ["penstock_world_test"] });
    const from = 1 + randomInt(2 ** 31);
    const first = await draw(root, progress, { from, seeds: SEEDS, filter: "-LayersWorld/*" });
    const second = await draw(root, progress, { from, seeds: NETWORKS, filter: "LayersWorld/*" });
    const said = `${first.said}\n${second.said}`;
    return first.code === 0 && second.code === 0 ? outcome(2, 0, said) : outcome(0, 1, said);
  },
};

async function draw(root, progress, { from, seeds, filter }) {
  const folder = path.join(root, "build", "runtime", "plain");
  const words = `PENSTOCK_WORLD_FROM=${from} PENSTOCK_WORLD_SEEDS=${seeds}`;
  progress(words);
  const { code, tail } = await run(path.join(folder, "penstock_world_test"), [`--gtest_filter=${filter}`], {
    cwd: folder,
    env: { PENSTOCK_WORLD_FROM: String(from), PENSTOCK_WORLD_SEEDS: String(seeds) },
    onLine: (line) => line.startsWith("[       OK ]") && progress(line),
  });
  return { code, said: code === 0 ? words : `ended with ${code} (${words})\n${tail.slice(-60).join("\n")}` };
}
