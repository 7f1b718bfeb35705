import { randomInt } from "node:crypto";
import path from "node:path";
import { run } from "../setup/child.mjs";
import { buildRuntime } from "../setup/runtime.mjs";
import { outcome } from "../test/tally.mjs";

/** Of each test; a thousand of them are in `npm test`. */
const SEEDS = 30_000;

export const world = {
  name: "world",
  proves: `calls, pools, flows and joins keep their promises in ${SEEDS} simulated worlds a test, from a random one on`,
  usually: "10 minutes",
  async run(root, progress) {
    await buildRuntime(root, "plain", { progress }, { targets: ["penstock_world_test"] });
    const folder = path.join(root, "build", "runtime", "plain");
    const from = 1 + randomInt(2 ** 31);
    const said = `PENSTOCK_WORLD_FROM=${from} PENSTOCK_WORLD_SEEDS=${SEEDS}`;
    progress(said);
    const { code, tail } = await run(path.join(folder, "penstock_world_test"), [], {
      cwd: folder,
      env: { PENSTOCK_WORLD_FROM: String(from), PENSTOCK_WORLD_SEEDS: String(SEEDS) },
      onLine: (line) => line.startsWith("[       OK ]") && progress(line),
    });
    return code === 0
      ? outcome(1, 0, said)
      : outcome(0, 1, `ended with ${code} (${said})\n${tail.slice(-60).join("\n")}`);
  },
};
