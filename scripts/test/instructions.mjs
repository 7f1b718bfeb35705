import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "../setup/child.mjs";
import { configuredElsewhere } from "../setup/runtime.mjs";
import { broken, outcome } from "./tally.mjs";

const FEWER = 2_000;
const MORE = 22_000;

/**
 * Counts the instructions of each hot path under callgrind, which are the same on any machine, and
 * fails when one is above its ceiling (runtime-cpp/guard/ceilings.json): a slower hot path shows
 * without a clock.
 */
export async function countInstructions(root, progress) {
  const guard = path.join(root, "runtime-cpp", "guard");
  const build = path.join(root, "build", "guard");
  const prefix = path.join(root, "build", "runtime", "release", "prefix");
  for (const args of [
    [
      "-S",
      guard,
      "-B",
      build,
      ...(configuredElsewhere(guard, build) ? ["--fresh"] : []),
      "-G",
      "Ninja",
      "-DCMAKE_BUILD_TYPE=Release",
      "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG",
    ].concat(`-DCMAKE_PREFIX_PATH=${prefix}`),
    ["--build", build],
  ]) {
    const { code, tail } = await run("cmake", args, { cwd: root, onLine: (line) => progress(line.trim()) });
    if (code !== 0) return broken(`cmake ${args.join(" ")} failed`, tail);
  }
  const ceilings = JSON.parse(readFileSync(path.join(guard, "ceilings.json"), "utf8"));
  const counted = {};
  for (const name of Object.keys(ceilings)) {
    progress(name);
    const { perTurn, failed, tail } = await instructionsPerTurn([path.join(build, "penstock_guard"), name]);
    if (failed !== undefined) return broken(failed, tail);
    counted[name] = perTurn;
  }
  return judge(counted, ceilings);
}

/**
 * Instructions of a program for one turn of what it does as often as its last argument says: between
 * a few turns and many.
 * @returns {Promise<{perTurn: number} | {failed: string, tail: string[]}>}
 */
export async function instructionsPerTurn(command) {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-callgrind-"));
  try {
    const totals = [];
    for (const count of [FEWER, MORE]) {
      const file = path.join(folder, String(count));
      const { code, tail } = await run("valgrind", [
        "--tool=callgrind",
        `--callgrind-out-file=${file}`,
        ...command,
        String(count),
      ]);
      if (code !== 0) return { failed: `valgrind of ${command.slice(1).join(" ")} failed`, tail };
      totals.push(readTotal(readFileSync(file, "utf8")));
    }
    return { perTurn: (totals[1] - totals[0]) / (MORE - FEWER) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Instructions of a whole run, from callgrind's output. */
export function readTotal(text) {
  const total = /^(?:summary|totals): (\d+)/m.exec(text)?.[1];
  if (total === undefined) throw new Error("callgrind's output has no total");
  return Number(total);
}

/** Instructions a turn against their ceilings; a lower ceiling may replace one that has become loose. */
export function judge(counted, ceilings) {
  const failures = Object.entries(ceilings)
    .filter(([name, ceiling]) => !(counted[name] <= ceiling))
    .map(
      ([name, ceiling]) =>
        `${name}: ${counted[name]?.toFixed(1)} instructions, the ceiling is ${ceiling} (runtime-cpp/guard/ceilings.json)`,
    );
  return outcome(Object.keys(ceilings).length - failures.length, failures.length, failures.join("\n"));
}
