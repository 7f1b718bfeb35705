import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export const firstLine = (command, args) =>
  (spawnSync(command, args, { encoding: "utf8" }).stdout ?? "").split("\n")[0].trim();

/** The system as it calls itself. */
function systemName() {
  try {
    return /^PRETTY_NAME="?(.*?)"?$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "Linux";
  } catch {
    return "Linux";
  }
}

/** What a reader has to know of where figures come from. */
export const describeMachine = () => ({
  cpu: os.cpus()[0]?.model.trim() ?? "unknown",
  cores: os.availableParallelism(),
  system: `${systemName()}, Linux ${os.release()}`,
});

/** Compiler and flags of a build folder, as CMake has them. */
export function describeCompiler(build) {
  const cache = readFileSync(path.join(build, "CMakeCache.txt"), "utf8");
  const cached = (name) => new RegExp(`^${name}:[A-Z]+=(.*)$`, "m").exec(cache)?.[1] ?? "";
  return {
    compiler: firstLine(cached("CMAKE_CXX_COMPILER") || "c++", ["--version"]),
    flags: `${cached("CMAKE_CXX_FLAGS")} ${cached("CMAKE_CXX_FLAGS_RELEASE")}`.trim(),
  };
}
