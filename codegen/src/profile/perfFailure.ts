import { readFileSync } from "node:fs";
import { problem, type Problem } from "../model/diagnostics/index.js";

/** Why nothing was recorded. */
export class NotRecorded extends Error {
  readonly problem: Problem;
  constructor(message: string, help: string) {
    super(message);
    this.problem = problem("PS899", "", message, { help });
  }
}

export const perfMissing = (): NotRecorded =>
  new NotRecorded(
    "perf is not installed, which records where CPU time goes",
    "sudo apt-get install --no-install-recommends linux-perf (Ubuntu: linux-tools-generic)",
  );

/** What Ubuntu's `perf` says, which only looks for the one of the running kernel. */
const OF_OTHER_KERNEL = /perf not found for kernel/i;
const NOT_ALLOWED =
  /perf_event_paranoid|performance monitoring and observability|permission denied|operation not permitted|not allowed|no permission/i;
const NO_SYSCALL = /function not implemented|not supported|ENOSYS/i;
const NO_ROOM = /perf_event_mlock_kb|permission error mapping pages/i;
const GONE =
  /no such process|invalid pid|failed to (?:read|synthesize) .*threads?|couldn't create thread\/cpu maps/i;

/** How much the kernel lets others than root record; "" where it does not say. */
function paranoid(): string {
  try {
    return readFileSync("/proc/sys/kernel/perf_event_paranoid", "utf8").trim();
  } catch {
    return "";
  }
}

/** What `perf record` wrote about its failure, in words of ours. */
export function perfFailure(words: string, level = paranoid()): NotRecorded {
  if (OF_OTHER_KERNEL.test(words)) return perfMissing();
  if (GONE.test(words))
    return new NotRecorded("the process ended before it could be recorded", "Start it again.");
  if (NO_ROOM.test(words))
    return new NotRecorded(
      "perf may not record here: other recordings hold all the memory that the kernel locks for them",
      "Wait until they are done, or sudo sysctl kernel.perf_event_mlock_kb=8192 until the next start of this machine.",
    );
  if (NOT_ALLOWED.test(words))
    return new NotRecorded(
      `perf may not record here: the kernel refuses it${level === "" ? "" : ` (kernel.perf_event_paranoid is ${level})`}`,
      "sudo sysctl kernel.perf_event_paranoid=1 until the next start of this machine; in a container it also has to be started with --cap-add PERFMON and a seccomp profile that has perf_event_open.",
    );
  if (NO_SYSCALL.test(words))
    return new NotRecorded(
      "perf cannot record here: this kernel or container does not have perf_event_open",
      "Record on the host itself, or start the container with a seccomp profile that has perf_event_open.",
    );
  const line = words.split("\n").find((one) => one.trim() !== "") ?? "it said nothing";
  return new NotRecorded(`perf failed: ${line.trim().slice(0, 300)}`, "Try `perf record -p PID` by hand.");
}
