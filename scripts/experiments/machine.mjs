import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { cpuName } from "../bench/machine.mjs";

/** One sentence of where figures come from; the compiler as the runtime was built. */
export function compilerAndMachine(root) {
  const cache = readFileSync(path.join(root, "build", "runtime", "release", "CMakeCache.txt"), "utf8");
  const compiler = /^CMAKE_CXX_COMPILER:[A-Z]+=(.*)$/m.exec(cache)?.[1] ?? "c++";
  const version = spawnSync(compiler, ["--version"], { encoding: "utf8" }).stdout?.split("\n")[0] ?? "";
  return `Machine: ${cpuName()}, ${os.availableParallelism()} processors, Linux ${os.release()}, ${version}`;
}
