import path from "node:path";
import { run } from "../setup/child.mjs";
import { buildJobs } from "../setup/jobs.mjs";
import { Obstacle } from "../setup/report.mjs";
import { configuredElsewhere, ninjaBar } from "../setup/runtime.mjs";

export const benchFolder = (root) => path.join(root, "build", "runtime", "bench");
const TARGETS = ["penstock_compare", "penstock_metered", "penstock_unmetered"];

/** The programs of all contenders: one, and two that are the same but for metrics. */
export function benchPrograms(root) {
  const folder = path.join(benchFolder(root), "bench", "compare");
  return TARGETS.map((name, index) => path.join(folder, index === 0 ? "" : "overhead", name));
}

/**
 * Builds the programs of all contenders.
 * @returns {Promise<string[]>} what CMake left out because it is not installed
 * @throws {Obstacle}
 */
export async function buildCompare(root, progress) {
  const source = path.join(root, "runtime-cpp");
  const build = benchFolder(root);
  const missing = [];
  for (const args of [
    ["--preset", "bench", ...(configuredElsewhere(path.join(root, "runtime-cpp"), build) ? ["--fresh"] : [])],
    ["--build", build, "--target", ...TARGETS, "--parallel", String(buildJobs())],
  ]) {
    const { code, tail } = await run("cmake", args, {
      cwd: source,
      env: { NINJA_STATUS: "[%f/%t] " },
      onLine: (line) => {
        if (line.includes("Benchmarks leave out")) missing.push(line.replace(/^-- /, ""));
        progress(ninjaBar(line) ?? "");
      },
    });
    if (code === 127) throw new Obstacle("cmake is not installed", "npm run setup");
    if (code !== 0) {
      throw new Obstacle(
        `cmake ${args.join(" ")} failed:\n${tail.slice(-40).join("\n")}`,
        "cd runtime-cpp && cmake --preset bench && cmake --build --preset bench",
      );
    }
  }
  return missing;
}
