import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { run } from "./child.mjs";
import { contentHash, readStamp, writeStamp } from "./content-hash.mjs";
import { buildJobs } from "./jobs.mjs";
import { Obstacle } from "./report.mjs";

/** What the installed library is made of; tests and benchmarks do not make it stale. */
const libraryFile = (file) =>
  !/\.(test|stress|counted|model|world|bench)\.cpp$|^runtime-cpp\/(testing|guard|stress|fuzz|bench)\/|\.md$/.test(
    file,
  );

const stampName = (preset) => `runtime-${preset}`;
const sourceHash = (root) => contentHash(root, ["runtime-cpp"], libraryFile);
/** Where CMake builds it. */
export const runtimeFolder = (root, preset) => path.join(root, "build", "runtime", preset);
const prefixOf = (root, preset) => path.join(runtimeFolder(root, preset), "prefix");

export function runtimeFresh(root, preset) {
  return existsSync(prefixOf(root, preset)) && readStamp(root, stampName(preset)) === sourceHash(root);
}

/** A build folder that was configured at another place (a moved clone) has to be made afresh. */
export function configuredElsewhere(home, build) {
  const cache = path.join(build, "CMakeCache.txt");
  if (!existsSync(cache)) return false;
  return home !== /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(readFileSync(cache, "utf8"))?.[1];
}

/** Ninja's `[done/total]`. */
export function ninjaStep(line) {
  const match = /^\[(\d+)\/(\d+)\]/.exec(line);
  return match === null ? undefined : { done: Number(match[1]), total: Number(match[2]) };
}

/** The same as a bar of 20 cells. */
export function ninjaBar(line) {
  const at = ninjaStep(line);
  if (at === undefined) return undefined;
  const { done, total } = at;
  const cells = total === 0 ? 0 : Math.round((done / total) * 20);
  return `[${"#".repeat(cells)}${".".repeat(20 - cells)}] ${done}/${total}`;
}

/**
 * Configures, builds and installs libpenstock of `preset` below build/runtime, until `signal` ends it: what
 * is done by then is found done the next time. `targets`: these alone are built, and nothing is installed. `onLine` sees
 * what CMake and ninja say.
 */
export async function buildRuntime(root, preset, step, { signal, targets, onLine = () => {} } = {}) {
  const hash = sourceHash(root);
  const source = path.join(root, "runtime-cpp");
  const build = runtimeFolder(root, preset);
  const fresh = configuredElsewhere(source, build) ? ["--fresh"] : [];
  const jobs = String(buildJobs());
  for (const args of [
    ["--preset", preset, ...fresh],
    ["--build", build, "--parallel", jobs, ...(targets === undefined ? [] : ["--target", ...targets])],
    ...(targets === undefined ? [["--install", build]] : []),
  ]) {
    const { code, tail } = await run("cmake", args, {
      cwd: source,
      env: { NINJA_STATUS: "[%f/%t] " },
      signal,
      onLine: (line) => {
        onLine(line);
        const bar = ninjaBar(line);
        if (bar !== undefined) step.progress(bar);
      },
    });
    if (code === 127) throw new Obstacle("cmake is not installed", "npm run setup");
    if (code !== 0) {
      const shown = tail.filter((line) => ninjaBar(line) === undefined && !line.startsWith("-- ")).slice(-40);
      throw new Obstacle(
        `cmake ${args.join(" ")} failed:\n${shown.join("\n")}`,
        `cd runtime-cpp && cmake --preset ${preset}`,
      );
    }
  }
  if (targets === undefined) writeStamp(root, stampName(preset), hash);
}
