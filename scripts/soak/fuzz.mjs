import { randomInt } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { run } from "../setup/child.mjs";
import { buildFuzzTargets } from "../test/ctest.mjs";
import { outcome } from "../test/tally.mjs";

export const fuzz = {
  name: "fuzz",
  proves:
    "what reads HTTP, protobuf, JSON, configurations, control calls and what other binaries send takes minutes of invented input each",
  usually: "70 minutes",
  minutes: 5,
  async run(root, progress, { minutes }) {
    const { folder, failed } = await buildFuzzTargets(root, progress);
    if (failed !== undefined) return failed;
    let [passed, fell] = [0, 0];
    const said = [];
    for (const program of readdirSync(folder).filter((name) => /^fuzz_\w+$/.test(name))) {
      const name = program.slice("fuzz_".length);
      const seed = randomInt(2 ** 31);
      progress(`${program}, -seed=${seed}`);
      // What earlier runs found is kept there, and where this one begins.
      const found = path.join(folder, "found", name);
      mkdirSync(found, { recursive: true });
      const { code, tail } = await run(
        path.join(folder, program),
        [
          ...[
            `-max_total_time=${Math.ceil(60 * minutes)}`,
            "-max_len=4096",
            "-print_final_stats=1",
            `-seed=${seed}`,
          ],
          ...[found, path.join(root, "runtime-cpp", "fuzz", "corpus", name)],
        ],
        { cwd: folder },
      );
      const runs = tail
        .find((line) => line.includes("number_of_executed_units"))
        ?.split(":")
        .at(-1)
        ?.trim();
      said.push(`${program}: ${runs ?? "?"} inputs, -seed=${seed}`);
      if (code === 0) {
        passed += 1;
        continue;
      }
      fell += 1;
      said.push(tail.slice(-60).join("\n"));
    }
    return outcome(passed, fell, said.join("\n"));
  },
};
