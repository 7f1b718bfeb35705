import { realpath } from "node:fs/promises";
import type { BuildPreset } from "../../contract/index.js";
import type { Problem } from "../../model/diagnostics/index.js";
import { replicasOf, startOrder, type Topology } from "../../model/topology/index.js";
import { fencedEnvironment, sandboxObstacle, type SandboxOptions } from "../../process/index.js";
import {
  binaryFence,
  certificateGap,
  listRunning,
  notHandedOn,
  nothingStarts,
  stopInOrder,
} from "../../run/index.js";
import { buildWithProgress } from "../project/buildWithProgress.js";
import type { Command } from "../verb/command.js";
import { readDrawnProject } from "../project/drawing.js";
import { EXIT, exitOfProblems } from "../verb/exitCode.js";
import { environmentFailure } from "../verb/failure.js";
import type { Output } from "../terminal/output.js";
import { summary } from "../terminal/problemLines.js";
import { projectPlace } from "../project/projectArgument.js";
import { requireTrust, TRUST_OPTION } from "../project/requireTrust.js";
import { requirePreset } from "../binaries/startingPreset.js";
import { supervise, type RunRequest, type Supervised } from "../binaries/supervise.js";

/** Starts a group once the one before it is ready, or has ended. Whether each is ready; after an abort the others are not started. */
async function startInOrder(
  groups: readonly string[][],
  runs: readonly Supervised[],
  signal: AbortSignal,
): Promise<boolean[]> {
  for (const group of groups) {
    const next = runs.filter(({ binary }) => group.includes(binary));
    if (signal.aborted) break;
    for (const { supervisor } of next) supervisor.start();
    await Promise.all(next.map(({ ready }) => ready));
  }
  return Promise.all(runs.map(({ ready }) => ready));
}

/** The fence that the designer's server puts around such a project; undefined, and said, where there is none. */
async function fenceFor(projectDir: string, output: Output): Promise<SandboxOptions | undefined> {
  const obstacle = await sandboxObstacle();
  if (obstacle === "") return binaryFence(projectDir);
  output.note(`It runs without a sandbox: ${obstacle}.`);
  return undefined;
}

/** A password that a node reads, say, is not there for a project that came from elsewhere. */
async function noteNotHandedOn(topology: Topology, projectDir: string, output: Output): Promise<void> {
  const { variablesRead } = await import("../../pipeline.js");
  const kept = notHandedOn(variablesRead(projectDir, topology));
  if (kept !== null) output.note(`${kept}.`);
}

function refuseTwice(names: readonly string[], running: readonly { binary: string; pid: number }[]): void {
  const twice = running.find(({ binary }) => names.includes(binary));
  if (twice === undefined) return;
  throw environmentFailure(
    `${twice.binary} is running already (process ${twice.pid})`,
    "Stop it first with `penstock stop`, or look at it with `penstock monitor`.",
  );
}

/** The binary that is named, else all that are drawn. */
const namesAsked = async (projectDir: string, binary: string | undefined): Promise<string[]> =>
  binary === undefined ? (await readDrawnProject(projectDir)).binaries.map(({ name }) => name) : [binary];

/** The preset to start with; a failure when none of the binaries has it. */
async function presetAsked(
  projectDir: string,
  binary: string | undefined,
  name: string | undefined,
): Promise<RunRequest["preset"]> {
  if (name === undefined) return undefined;
  const topology = await readDrawnProject(projectDir);
  const binaries = topology.binaries.map((one) => one.name);
  requirePreset(topology, binary === undefined ? binaries : [binary], name);
  return { name, topology };
}

/** `penstock run`: builds if needed, starts and supervises until Ctrl-C. */
export const command: Command = {
  usage: "[PROJECT] [--binary NAME] [--preset NAME] [--fastest] [--relax-pins] [--detach] [--trust]",
  doc: "Builds what changed, starts the project's binaries and keeps them running; Ctrl-C drains and\nstops them. PENSTOCK_CONTROL_TOKEN, where set, is their control token.",
  positionals: { min: 0, max: 1 },
  options: {
    ...TRUST_OPTION,
    binary: { type: "string", value: "NAME", doc: "run this binary only" },
    preset: { type: "string", value: "NAME", doc: "start with the pools and joins of this preset" },
    fastest: { type: "boolean", doc: "build it with link-time optimisation, which takes longer" },
    "relax-pins": { type: "boolean", doc: "a pin to a CPU that is not there is a warning" },
    detach: { type: "boolean", doc: "return once they are ready and leave them running" },
  },
  examples: [
    "penstock run ads",
    "penstock run ads --detach && penstock monitor ads",
    "penstock run ads --preset night",
  ],
  async run(invocation) {
    const { positionals, flag, value, output, signal } = invocation;
    const place = projectPlace(positionals[0]);
    const projectDir = await realpath(place.dir);
    const binary = value("binary");
    const preset = await presetAsked(projectDir, binary, value("preset"));
    const running = await listRunning(projectDir);
    if (running.length > 0) refuseTwice(await namesAsked(projectDir, binary), running);
    const { own } = await requireTrust(projectDir, invocation);
    const build: BuildPreset = flag("fastest") ? "fastest" : "release";
    const fence = own ? undefined : await fenceFor(projectDir, output);
    const env = fence === undefined ? process.env : fencedEnvironment(process.env);
    const obstacles = async (): Promise<Problem[]> =>
      nothingStarts(await namesAsked(projectDir, binary), projectDir, env);
    const built = await buildWithProgress({ projectDir, preset: build, binary, output, signal, obstacles });
    if (built.exit !== EXIT.done) {
      output.problems(built.problems);
      output.event({ event: "failed", ok: false, problems: built.problems });
      output.note(
        built.exit === EXIT.interrupted ? "Cancelled." : `Not started: ${summary(built.problems)}.`,
      );
      return built.exit;
    }
    const names = built.binaries.map(({ name }) => name);
    refuseTwice(names, await listRunning(projectDir));
    const topology = await readDrawnProject(projectDir);
    if (fence !== undefined) await noteNotHandedOn(topology, projectDir, output);
    const { binaries } = topology;
    const gaps = binaries
      .filter(({ name }) => names.includes(name))
      .map((one) => certificateGap(one, projectDir))
      .filter((gap) => gap !== null);
    output.problems(gaps);
    if (gaps.length > 0) output.event({ event: "warned", problems: gaps });
    const detached = flag("detach");
    const request: RunRequest = {
      projectDir,
      build,
      relaxPins: flag("relax-pins"),
      detached,
      fence,
      output,
      preset,
    };
    const runs = names.flatMap((name) =>
      Array.from({ length: replicasOf(binaries.find((one) => one.name === name)) }, (_, at) =>
        supervise(name, at + 1, request),
      ),
    );
    const stopAll = (): Promise<void> =>
      stopInOrder(topology, names, (name) =>
        Promise.all(runs.filter((run) => run.binary === name).map(({ supervisor }) => supervisor.stop())),
      );
    const interrupted = new Promise<"interrupted">((resolve) => {
      const stop = (): void => void stopAll().then(() => resolve("interrupted"));
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
    const started = startInOrder(startOrder(topology, names), runs, signal);
    const allReady = await Promise.race([interrupted, started]);
    if (allReady === "interrupted") return EXIT.interrupted;
    // Those that are ready live on whatever became of the others.
    const left = detached ? runs.filter((_, at) => allReady[at]) : [];
    for (const { supervisor } of left) supervisor.release();
    if (left.length > 0)
      output.note("Left running: `penstock monitor` shows them, `penstock stop` ends them.");
    const watched = runs.filter((run) => !left.includes(run));
    const ends = await Promise.race([interrupted, Promise.all(watched.map((run) => run.end()))]);
    if (ends === "interrupted") return EXIT.interrupted;
    if (signal.aborted) return EXIT.interrupted;
    const problems = ends.flatMap(({ problem }) => (problem === null ? [] : [problem]));
    return problems.length === 0 ? EXIT.done : exitOfProblems(problems);
  },
};
