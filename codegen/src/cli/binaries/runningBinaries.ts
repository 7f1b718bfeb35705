import { suggest } from "../../model/diagnostics/index.js";
import { listRunning, type RunningBinary } from "../../run/index.js";
import { EXIT } from "../exitCode.js";
import { Failure, usageFailure } from "../failure.js";

/** The binaries of a project that run now, whoever started them; one of them when `binary` is given. */
export async function runningBinaries(
  projectDir: string,
  binary: string | undefined,
): Promise<RunningBinary[]> {
  const running = await listRunning(projectDir);
  return binary === undefined ? running : running.filter((entry) => entry.binary === binary);
}

/** As above, and a failure when there is none. */
export async function someRunningBinaries(
  projectDir: string,
  binary: string | undefined,
): Promise<[RunningBinary, ...RunningBinary[]]> {
  const [first, ...others] = await runningBinaries(projectDir, binary);
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

/** The one binary that is meant; with several running, `--binary` has to say which. */
export async function theRunningBinary(
  projectDir: string,
  binary: string | undefined,
): Promise<RunningBinary> {
  const [first, ...others] = await someRunningBinaries(projectDir, binary);
  if (others.length === 0) return first;
  const names = [first, ...others].map((entry) => entry.binary).join(", ");
  throw usageFailure("several binaries of this project are running", `Choose one with --binary: ${names}.`);
}
