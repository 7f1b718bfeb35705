import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Where set-up installs the runtime. */
export const RUNTIME_PREFIX: string = fileURLToPath(
  new URL("../../../build/runtime/release/prefix", import.meta.url),
);

const toolchain = (name: string): string =>
  fileURLToPath(new URL(`../../../scripts/test/${name}.cmake`, import.meta.url));
/** Settings that put twenty files in one, hardly optimised: where the question is whether it runs. */
export const QUICKLY: readonly string[] = [`-DCMAKE_TOOLCHAIN_FILE=${toolchain("together")}`];
/** The same, optimised: where warnings are asked for that come of it. */
export const TOGETHER: readonly string[] = [...QUICKLY, "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG"];

/** Where the toolchains and what they include lie. */
const TOOLCHAINS = [
  new URL("../../../scripts/test", import.meta.url),
  new URL("../../../runtime-cpp/cmake", import.meta.url),
].map((folder) => fileURLToPath(folder));

/** What ccache keeps for all else that is compiled here: a fenced build finds it there, too. */
const CCACHE =
  process.env["CCACHE_DIR"] ?? join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "ccache");

/** An environment in which the command line builds so too; its fence may hide where the repository lies. */
const buildsWith = (name: string): NodeJS.ProcessEnv => ({
  CMAKE_TOOLCHAIN_FILE: toolchain(name),
  PENSTOCK_SANDBOX_FOLDERS: TOOLCHAINS.join(delimiter),
  PENSTOCK_CCACHE: CCACHE,
});
export const BUILDS_TOGETHER = buildsWith("together");
/** File by file, as users compile; what was compiled in another folder is found again. */
export const BUILDS_SEPARATELY = buildsWith("anywhere");

/** Handlers and binaries file by file, their tests and benchmarks put together. */
export const CHECKS_TOGETHER: readonly string[] = [
  `-DCMAKE_PROJECT_INCLUDE=${fileURLToPath(new URL("./checksTogether.cmake", import.meta.url))}`,
];

/** Configures (with further `settings`) and builds targets of a generated project; gives the build's output. */
export function buildProject(
  dir: string,
  targets: readonly string[],
  settings: readonly string[] = [],
): string {
  if (!existsSync(`${RUNTIME_PREFIX}/lib/libpenstock.a`))
    throw new Error("the runtime is not installed: npm run setup");
  const run = (command: string, args: readonly string[]): string => {
    const done = spawnSync(command, args, { cwd: dir, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
    if (done.status !== 0) throw new Error(`${command} ${args.join(" ")}\n${done.stdout}\n${done.stderr}`);
    return `${done.stdout}\n${done.stderr}`;
  };
  run("cmake", ["--preset", "release", `-DCMAKE_PREFIX_PATH=${RUNTIME_PREFIX}`, ...settings]);
  return run("cmake", ["--build", "--preset", "release", "--target", ...targets, "--", "-j2"]);
}

export const warningsIn = (output: string): string[] =>
  output.split("\n").filter((line) => line.includes("warning:"));

/** A started binary that has said it is ready. */
export interface Running {
  child: ChildProcess;
  control: string;
  /** Where its flows take requests; null: nowhere. */
  http: string | null;
  /** What it said on standard error so far. */
  said: () => string;
  /** SIGTERM; the exit code. */
  stop(): Promise<number | null>;
}

export const CONTROL_TOKEN = "0123456789abcdef0123456789abcdef";

export async function startBinary(
  dir: string,
  binary: string,
  environment: Record<string, string> = {},
): Promise<Running> {
  const child = spawn(`${dir}/build/release/${binary}`, ["--relax-pins"], {
    cwd: dir,
    env: {
      ...process.env,
      // It ends as soon as nothing is in flight, however late a busy machine makes that.
      PENSTOCK_DRAIN_MS: "300000",
      ...environment,
      PENSTOCK_CONTROL_TOKEN: CONTROL_TOKEN,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  // Not its exit, which may come before the last of what it said.
  const exited = once(child, "close") as Promise<[number | null]>;
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), "line"),
    exited.then(([code]) => Promise.reject(new Error(`${binary} ended with ${code}: ${said}`))),
  ])) as [string];
  const ready = JSON.parse(line) as { control: string; http: string | null };
  return {
    child,
    control: ready.control,
    http: ready.http,
    said: () => said,
    stop: async () => {
      child.kill("SIGTERM");
      return (await exited)[0];
    },
  };
}

/** What `GET /metrics` of a binary says now. */
export async function metricsOf(control: string): Promise<string> {
  const answer = await fetch(`http://${control}/metrics`, {
    headers: { authorization: `Bearer ${CONTROL_TOKEN}` },
  });
  return answer.text();
}

/** A counter in what `GET /metrics` said, summed over its labels that contain `label`. */
export const counterIn = (metrics: string, name: string, label: string): number =>
  metrics
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) && line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);

/** The same of what it says now. */
export const counter = async (control: string, name: string, label: string): Promise<number> =>
  counterIn(await metricsOf(control), name, label);

/** So long for anything, far above what any of it takes. */
const GUARD_MS = 600_000;

/** Asks until it is true. */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + GUARD_MS;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`not within ${GUARD_MS / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const runTool = (command: string, args: readonly string[], input: Buffer): Buffer =>
  execFileSync(command, args, { input, maxBuffer: 64 * 1024 * 1024 });

/** Makes a program of one file of C++ and the messages in a project's folder `generated`; a warning ends it. */
export function compileMessages(source: string, generated: string, program: string): void {
  execFileSync("g++", [
    ...["-std=c++20", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"],
    ...[`-I${generated}`, `-I${RUNTIME_PREFIX}/include`, source, `${generated}/messages.cpp`, "-o", program],
  ]);
}
