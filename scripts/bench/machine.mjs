import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { PACKAGES } from "../setup/packages.mjs";
import { benchFolder } from "./build.mjs";

const firstLine = (command, args) =>
  (spawnSync(command, args, { encoding: "utf8" }).stdout ?? "").split("\n")[0].trim();

export const cpuName = () => os.cpus()[0]?.model.trim() ?? "unknown";

/** The system as it calls itself. */
export const systemName = () => {
  try {
    return /^PRETTY_NAME="?(.*?)"?$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "Linux";
  } catch {
    return "Linux";
  }
};

/** What a reader has to know of where figures come from; compiler and flags as CMake has them. */
export function describeMachine(root) {
  const cache = readFileSync(path.join(benchFolder(root), "CMakeCache.txt"), "utf8");
  const cached = (name) => new RegExp(`^${name}:[A-Z]+=(.*)$`, "m").exec(cache)?.[1] ?? "";
  return {
    cpu: cpuName(),
    cores: os.availableParallelism(),
    system: `${systemName()}, Linux ${os.release()}`,
    compiler: firstLine(cached("CMAKE_CXX_COMPILER"), ["--version"]),
    flags: `${cached("CMAKE_CXX_FLAGS")} ${cached("CMAKE_CXX_FLAGS_RELEASE")}`.trim(),
    peers: peerVersions(),
  };
}

const peerVersions = () =>
  ["libboost-dev", ...PACKAGES.peers].flatMap((name) => {
    const version = firstLine("dpkg-query", ["-W", "-f", "${Version}", name]);
    return version === "" ? [] : [`${name} ${version}`];
  });
