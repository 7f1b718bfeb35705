import { suggest } from "../../model/diagnostics/index.js";
import {
  isAnswering,
  listAttached,
  listRunning,
  nameOfRunning,
  stillAttached,
  type RunningBinary,
} from "../../run/index.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";
import { patiently } from "../verb/patience.js";

/** So long an attached process may take to say that it is there. */
const ANSWER_MS = 2_000;

/** A process of a binary, with what it is called. */
export type RunningProcess = RunningBinary & { name: string };

/** A binary of a project that runs, in one process or several. */
export interface Running {
  binary: string;
  project: string;
  processes: [RunningProcess, ...RunningProcess[]];
}

export const named = <T extends RunningBinary>(entry: T): T & { name: string } => ({
  ...entry,
  name: nameOfRunning(entry),
});

/**
 * The processes of a project's binaries (of all projects, when left out): those that were started and are alive, then
 * those that are attached, whether they answer or not.
 */
export async function knownProcesses(projectDir?: string): Promise<RunningProcess[]> {
  const started = await listRunning(projectDir);
  const attached = stillAttached(await listAttached(projectDir), started);
  return [...started, ...attached].map(named);
}

/** Of processes those that can be asked: an attached one may be gone. */
export async function answering(processes: readonly RunningProcess[]): Promise<RunningProcess[]> {
  const here = await Promise.all(
    processes.map(async (entry) => !entry.attached || isAnswering(entry, patiently(ANSWER_MS))),
  );
  return processes.filter((_, at) => here[at]);
}

/** Those of one binary, or the one of that name; all, when left out. */
export const chosen = <T extends { binary: string; name: string }>(
  processes: readonly T[],
  binary: string | undefined,
): T[] => processes.filter((one) => binary === undefined || one.binary === binary || one.name === binary);

/**
 * The processes of a project's binaries that run now, whoever started them; with `binary` those of one, or the one
 * process of that name.
 */
export const runningProcesses = async (
  projectDir: string,
  binary: string | undefined,
): Promise<RunningProcess[]> => answering(chosen(await knownProcesses(projectDir), binary));

/** A failure where one of these is attached, as nobody answers at its address. */
export function refuseSilent(processes: readonly RunningProcess[]): void {
  const silent = processes.find(({ attached }) => attached);
  if (silent === undefined) return;
  throw new Failure(
    EXIT.environment,
    "PS994",
    `${silent.name} is attached and does not answer at ${silent.control}`,
    "Start it where it runs, and what forwards its port; `penstock detach` takes it out.",
  );
}

/** Those that were started here; a failure where one is attached: its process may be on another host. */
export function refuseAttached(processes: readonly RunningProcess[]): { name: string; pid: number }[] {
  return processes.map((entry) => {
    if (!entry.attached) return { name: entry.name, pid: entry.pid };
    throw usageFailure(
      `${entry.name} is attached: which process of which host it is, is not known here`,
      "Record it where it runs, or name another process with --binary.",
    );
  });
}

/** The processes of a project that run, of all its binaries or of one; a failure when there is none. */
export async function someRunningProcesses(
  projectDir: string,
  binary: string | undefined,
): Promise<[RunningProcess, ...RunningProcess[]]> {
  const known = await knownProcesses(projectDir);
  const meant = chosen(known, binary);
  const [first, ...others] = await answering(meant);
  if (first !== undefined) return [first, ...others];
  refuseSilent(meant);
  const near =
    binary === undefined
      ? undefined
      : suggest(
          binary,
          known.map((entry) => entry.binary),
        );
  const help =
    near === undefined
      ? "Start it with `penstock run --detach` or in the designer."
      : `Did you mean ${near}?`;
  throw new Failure(
    EXIT.environment,
    "PS993",
    binary === undefined ? "nothing of this project is running" : `${binary} is not running`,
    help,
  );
}

/** Processes by their binaries, in the order the binaries come. */
export function byBinary(processes: readonly RunningProcess[]): Running[] {
  const found: Running[] = [];
  for (const entry of processes) {
    const known = found.find(({ binary, project }) => binary === entry.binary && project === entry.project);
    if (known) known.processes.push(entry);
    else found.push({ binary: entry.binary, project: entry.project, processes: [entry] });
  }
  return found;
}

/** That nothing runs of what was asked for. */
export const noneRuns = (binary: string | undefined, since = ""): string =>
  `${binary === undefined ? "Nothing of this project is running" : `${binary} is not running`}${since}.`;

/** The binaries of a project that run now. */
export const runningBinaries = async (projectDir: string): Promise<Running[]> =>
  byBinary(await runningProcesses(projectDir, undefined));

/** The one binary that is meant; with several running, `--binary` has to say which, or what `choose` says. */
export async function theRunningBinary(
  projectDir: string,
  binary: string | undefined,
  choose = "Choose one with --binary",
): Promise<Running> {
  const [first, ...others] = byBinary(await someRunningProcesses(projectDir, binary));
  if (first === undefined) throw new Error("some run");
  if (others.length === 0) return first;
  const names = [first, ...others].map((entry) => entry.binary).join(", ");
  throw usageFailure("several binaries of this project are running", `${choose}: ${names}.`);
}
