import { existsSync, mkdirSync, rmSync } from "node:fs";
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

/** Runtimes of other languages, measured where their compilers and packages are to be had. */
const PEERS = [
  {
    name: "Go",
    folder: "go",
    command: "go",
    args: (out) => ["build", "-o", out, "."],
    program: (out) => path.join(out, "peers"),
  },
  {
    name: "Tokio",
    folder: "tokio",
    command: "cargo",
    args: (out) => ["build", "--release", "--quiet", "--target-dir", out],
    program: (out) => path.join(out, "release", "tokio-peer"),
  },
];
const peerFolder = (root, { folder }) => path.join(root, "build", "bench", "peers", folder);
const ofPeers = (workload) => workload.startsWith("pool-call");

/**
 * The programs of these workloads' contenders: of the runtime one, and two that are the same but for metrics;
 * of the designer one that drives a browser.
 */
export function benchPrograms(root, workloads) {
  const folder = path.join(benchFolder(root), "bench", "compare");
  const compare = TARGETS.map((name, index) => path.join(folder, index === 0 ? "" : "overhead", name));
  const peers = PEERS.map((peer) => peer.program(peerFolder(root, peer)));
  return [
    ...(workloads.every(ofPages) ? [] : compare),
    ...(workloads.some(ofPeers) ? peers.filter((program) => existsSync(program)) : []),
    ...(workloads.some(ofPages) ? [path.join(root, "e2e", "perf", "designer-bench")] : []),
  ];
}

/** Builds what these workloads need; gives what was left out because it is not installed. @throws {Obstacle} */
export async function buildContenders(root, workloads, progress) {
  if (workloads.some(ofPages)) await buildPages(root, progress);
  const missing = workloads.every(ofPages) ? [] : await buildCompare(root, progress);
  return workloads.some(ofPeers) ? [...missing, ...(await buildPeers(root, progress))] : missing;
}

/** Peers that did not build are left out; what is said of them is why. */
async function buildPeers(root, progress) {
  const missing = [];
  for (const peer of PEERS) {
    const out = peerFolder(root, peer);
    rmSync(peer.program(out), { force: true });
    mkdirSync(out, { recursive: true });
    const cwd = path.join(root, "runtime-cpp", "bench", "peers", peer.folder);
    const { code, tail } = await run(peer.command, peer.args(out), { cwd, onLine: progress });
    const why = code === 127 ? `${peer.command} is not installed` : tail.slice(-3).join(" ");
    if (code !== 0) missing.push(`Benchmarks leave out ${peer.name}: ${why}`);
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
