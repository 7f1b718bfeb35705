import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { findFirst, neededTools } from "../../build/index.js";
import { designerDir, runtimeRoot } from "../../installation/index.js";

export interface ToolState {
  name: string;
  /** "" when it is not there. */
  version: string;
  /** Absolute path of the program or folder; "" when it is not there. */
  path: string;
  /** Without it projects cannot be built and run; the others only make things better. */
  needed: boolean;
  /** What it is for. */
  purpose: string;
  /** Debian package that holds it, or the command that makes it. */
  install: string;
}

interface ToolSpec {
  name: string;
  programs: readonly string[];
  needed: boolean;
  purpose: string;
  packages: string;
  /** What it says its version to; left out: `--version`. */
  asked?: string;
}

const PURPOSES: Record<string, string> = {
  "C++ compiler": "compiles projects",
  CMake: "configures builds",
  Ninja: "runs builds",
};

/** What builds ask for as well, from the one list of it. */
const needed = (): ToolSpec[] =>
  neededTools().map(({ what, programs, package: packages }) => ({
    name: what,
    programs,
    needed: true,
    purpose: PURPOSES[what] ?? "is needed by builds",
    packages,
  }));

const HELPFUL: readonly ToolSpec[] = [
  {
    name: "ccache",
    programs: ["ccache"],
    needed: false,
    purpose: "makes repeated builds quick",
    packages: "ccache",
  },
  { name: "mold", programs: ["mold"], needed: false, purpose: "links quickly", packages: "mold" },
  {
    name: "bubblewrap",
    programs: ["bwrap"],
    needed: false,
    purpose: "fences in builds and runs",
    packages: "bubblewrap",
  },
  {
    name: "clangd",
    programs: ["clangd-16", "clangd"],
    needed: false,
    purpose: "completion in your editor",
    packages: "clangd-16",
  },
  {
    name: "OpenSSL",
    programs: ["openssl"],
    needed: false,
    purpose: "makes the keys of binaries on several hosts",
    packages: "openssl",
    asked: "version",
  },
  {
    name: "perf",
    programs: ["perf"],
    needed: false,
    purpose: "records where the CPU time of binaries goes",
    packages: "linux-perf",
  },
];

/** The first thing that looks like a version in what a program says when it is asked for it. */
function versionOf(program: string, word = "--version"): string {
  const asked = spawnSync(program, [word], {
    encoding: "utf8",
    timeout: 5000,
    env: { ...process.env, LC_ALL: "C" },
  });
  return /\d+(?:\.\d+)+/.exec(asked.stdout ?? "")?.[0] ?? "unknown";
}

const programState = async (spec: ToolSpec): Promise<ToolState> => {
  const file = await findFirst(spec.programs);
  return {
    name: spec.name,
    version: file === undefined ? "" : versionOf(file, spec.asked),
    path: file ?? "",
    needed: spec.needed,
    purpose: spec.purpose,
    install: spec.packages,
  };
};

const builtState = (name: string, place: string, proof: string, purpose: string): ToolState => {
  const there = existsSync(path.join(place, proof));
  return {
    name,
    version: there ? "built" : "",
    path: there ? place : "",
    needed: true,
    purpose,
    install: "npm run setup",
  };
};

/** Everything a project needs to be built and run here, and what would help besides. */
export const toolStates = async (): Promise<ToolState[]> => [
  ...(await Promise.all([...needed(), ...HELPFUL].map(programState))),
  builtState(
    "Penstock runtime",
    path.join(runtimeRoot, "release", "prefix"),
    "include/penstock",
    "is linked into every binary",
  ),
  builtState("Designer", designerDir, "index.html", "is shown in the browser"),
];

export interface MachineFacts {
  system: string;
  node: string;
  cpus: number;
  model: string;
  memoryBytes: number;
  root: boolean;
}

export const machineFacts = (): MachineFacts => ({
  system: `${os.type()} ${os.release()} ${os.arch()}`,
  node: process.versions.node,
  cpus: os.availableParallelism(),
  model: os.cpus()[0]?.model.trim() ?? "",
  memoryBytes: os.totalmem(),
  root: process.getuid?.() === 0,
});
