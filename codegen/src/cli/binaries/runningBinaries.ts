import { suggest } from "../../model/diagnostics/index.js";
import { listRunning, nameOfRunning, type RunningBinary } from "../../run/index.js";
import { EXIT } from "../exitCode.js";
import { Failure, usageFailure } from "../failure.js";

/** A binary of a project that runs, in one process or several. */
export interface Running {
  binary: string;
  project: string;
  processes: [RunningBinary, ...RunningBinary[]];
}

/**
 * The processes of a project's binaries that run now, whoever started them; with `binary` those of one, or the one
 * process of that name.
 */
export async function runningProcesses(
  projectDir: string,
  binary: string | undefined,
): Promise<RunningBinary[]> {
  const running = await listRunning(projectDir);
  return binary === undefined
    ? running
    : running.filter((entry) => entry.binary === binary || nameOfRunning(entry) === binary);
}

/** As above, and a failure when there is none. */
export async function someRunningProcesses(
  projectDir: string,
  binary: string | undefined,
): Promise<[RunningBinary, ...RunningBinary[]]> {
  const [first, ...others] = await runningProcesses(projectDir, binary);
  if (first !== undefined) return [first, ...others];
  const names = (await listRunning(projectDir)).map((entry) => entry.binary);
  const near = binary === undefined ? undefined : suggest(binary, names);
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
export function byBinary(processes: readonly RunningBinary[]): Running[] {
  const found: Running[] = [];
  for (const entry of processes) {
    const known = found.find(({ binary, project }) => binary === entry.binary && project === entry.project);
    if (known) known.processes.push(entry);
    else found.push({ binary: entry.binary, project: entry.project, processes: [entry] });
  }
  return found;
}

/** The binaries of a project that run now. */
export const runningBinaries = async (projectDir: string): Promise<Running[]> =>
  byBinary(await runningProcesses(projectDir, undefined));

/** The one binary that is meant; with several running, `--binary` has to say which. */
export async function theRunningBinary(projectDir: string, binary: string | undefined): Promise<Running> {
  const [first, ...others] = byBinary(await someRunningProcesses(projectDir, binary));
  if (first === undefined) throw new Error("some run");
  if (others.length === 0) return first;
  const names = [first, ...others].map((entry) => entry.binary).join(", ");
  throw usageFailure("several binaries of this project are running", `Choose one with --binary: ${names}.`);
}
