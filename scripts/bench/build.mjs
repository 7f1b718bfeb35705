import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { firstLine } from "../measure/machine.mjs";
import { run } from "../setup/child.mjs";
import { buildDesigner, designerFresh } from "../setup/designer.mjs";
import { PACKAGES } from "../setup/packages.mjs";
import { Obstacle } from "../setup/report.mjs";
import { buildRuntime } from "../setup/runtime.mjs";

export const benchFolder = (root) => path.join(root, "build", "runtime", "bench");
const TARGETS = ["penstock_compare", "penstock_metered", "penstock_unmetered"];

const ofPages = (workload) => workload.startsWith("designer/");

/**
 * Programs in other languages, measured where their compilers and packages are to be had. Each is built by `steps` in a copy
 * of its folder, for the workloads whose names begin with `of`. One that is `asked` is started by a contender of ours.
 */
const PEERS = [
  {
    name: "Go",
    folder: "go",
    of: "pool-call",
    steps: (out) => [["go", "build", "-o", out, "."]],
    program: (out) => path.join(out, "peers"),
  },
  {
    name: "Tokio",
    folder: "tokio",
    of: "pool-call",
    steps: (out) => [["cargo", "build", "--release", "--quiet", "--target-dir", out]],
    program: (out) => path.join(out, "release", "tokio-peer"),
  },
  {
    name: "Twirp",
    folder: "twirp",
    of: "http",
    asked: true,
    steps(out) {
      const generators = [
        "google.golang.org/protobuf/cmd/protoc-gen-go",
        "github.com/twitchtv/twirp/protoc-gen-twirp",
      ];
      const generates = ["go", "twirp"].flatMap((what) => [
        `--plugin=${path.join(out, `protoc-gen-${what}`)}`,
        ...[`--${what}_out=.`, `--${what}_opt=paths=source_relative`],
      ]);
      return [
        ["go", "build", "-o", `${out}/`, ...generators],
        ["protoc", ...generates, "hats/hats.proto"],
        ["go", "build", "-o", this.program(out), "."],
      ];
    },
    program: (out) => path.join(out, "server"),
  },
];
const peerFolder = (root, { folder }) => path.join(root, "build", "bench", "peers", folder);
const peersOf = (workloads) =>
  PEERS.filter(({ of }) => workloads.some((workload) => workload.startsWith(of)));

/**
 * The programs of these workloads' contenders: of the runtime one, and two that are the same but for metrics;
 * of the designer one that drives a browser.
 */
export function benchPrograms(root, workloads) {
  const folder = path.join(benchFolder(root), "bench", "compare");
  const compare = TARGETS.map((name, index) => path.join(folder, index === 0 ? "" : "overhead", name));
  const peers = peersOf(workloads)
    .filter(({ asked }) => !asked)
    .map((peer) => peer.program(peerFolder(root, peer)));
  return [
    ...(workloads.every(ofPages) ? [] : compare),
    ...peers.filter((program) => existsSync(program)),
    ...(workloads.some(ofPages) ? [path.join(root, "e2e", "perf", "designer-bench")] : []),
  ];
}

/** Builds what these workloads need; gives what was left out because it is not installed. @throws {Obstacle} */
export async function buildContenders(root, workloads, progress) {
  if (workloads.some(ofPages)) await buildPages(root, progress);
  const missing = workloads.every(ofPages) ? [] : await buildCompare(root, progress);
  return [...missing, ...(await buildPeers(root, peersOf(workloads), progress))];
}

/** Peers that did not build are left out; what is said of them is why. */
async function buildPeers(root, peers, progress) {
  const missing = [];
  for (const peer of peers) {
    const out = peerFolder(root, peer);
    const cwd = path.join(out, "source");
    rmSync(peer.program(out), { force: true });
    mkdirSync(out, { recursive: true });
    // What compilers and generators write beside their sources is no part of the clone.
    cpSync(path.join(root, "runtime-cpp", "bench", "peers", peer.folder), cwd, {
      recursive: true,
      preserveTimestamps: true,
    });
    for (const [command, ...args] of peer.steps(out)) {
      const { code, tail } = await run(command, args, { cwd, onLine: progress });
      if (code === 0) continue;
      const why = code === 127 ? `${command} is not installed` : tail.slice(-3).join(" ");
      missing.push(`Benchmarks leave out ${peer.name}: ${why}`);
      break;
    }
  }
  return missing;
}

/** The designer, and the page with nothing but React Flow. */
async function buildPages(root, progress) {
  if (!designerFresh(root)) await buildDesigner(root, { progress });
  const vite = path.join(root, "node_modules", "vite", "bin", "vite.js");
  const out = path.join(root, "build", "bench", "bare");
  const { code, tail } = await run(
    process.execPath,
    [vite, "build", "--logLevel", "error", "--base", "./", "--outDir", out, "--emptyOutDir"],
    { cwd: path.join(root, "e2e", "perf", "bare"), onLine: progress },
  );
  if (code !== 0) {
    throw new Obstacle(`the bare page did not build:\n${tail.slice(-30).join("\n")}`, "npm run setup");
  }
}

/** Builds the programs of all contenders of the runtime; gives what CMake left out because it is not installed. */
async function buildCompare(root, progress) {
  const missing = [];
  const onLine = (line) => line.includes("Benchmarks leave out") && missing.push(line.replace(/^-- /, ""));
  await buildRuntime(root, "bench", { progress }, { targets: TARGETS, onLine });
  return missing;
}

/** Packages of the peers, as they are installed. */
export const peerVersions = () =>
  ["libboost-dev", ...PACKAGES.peers].flatMap((name) => {
    const version = firstLine("dpkg-query", ["-W", "-f", "${Version}", name]);
    return version === "" ? [] : [`${name} ${version}`];
  });
