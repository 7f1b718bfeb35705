import { randomInt } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { run } from "../setup/child.mjs";
import { buildRuntime } from "../setup/runtime.mjs";
import { outcome } from "../test/tally.mjs";

/** Rounds of every program, and milliseconds of the one that goes on for as long as it is told. */
const ROUNDS = { dev: [10, 20_000], asan: [3, 20_000], tsan: [3, 20_000] };

export const stress = {
  name: "stress",
  proves:
    "calls, partitions, joins and pools lose and repeat nothing under load, without sanitizer, with ASan and with TSan",
  usually: "15 minutes",
  async run(root, progress) {
    let passed = 0;
    const failures = [];
    for (const [preset, [rounds, ms]] of Object.entries(ROUNDS)) {
      await buildRuntime(root, preset, { progress }, { targets: ["penstock_stress_programs"] });
      const folder = path.join(root, "build", "runtime", preset);
      for (const program of readdirSync(folder).filter((name) => /^penstock_\w+_stress$/.test(name))) {
        const seed = randomInt(2 ** 31);
        progress(`${preset} ${program}, PENSTOCK_STRESS_SEED=${seed}`);
        const { code, tail } = await run(
          path.join(folder, program),
          [`--gtest_repeat=${rounds}`, "--gtest_fail_fast"],
          {
            cwd: folder,
            env: {
              PENSTOCK_STRESS_SEED: String(seed),
              PENSTOCK_STRESS_MS: String(ms),
              ASAN_OPTIONS: "detect_stack_use_after_return=1",
              UBSAN_OPTIONS: "halt_on_error=1:print_stacktrace=1",
              TSAN_OPTIONS: "halt_on_error=1:second_deadlock_stack=1",
            },
          },
        );
        if (code === 0) passed += 1;
        else
          failures.push(
            `${preset} ${program} ended with ${code} (PENSTOCK_STRESS_SEED=${seed})\n${tail.slice(-60).join("\n")}`,
          );
      }
    }
    return outcome(passed, failures.length, failures.join("\n\n"));
  },
};
