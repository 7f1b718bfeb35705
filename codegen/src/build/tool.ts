import { availableParallelism, freemem } from "node:os";
import {
  fencedEnvironment,
  LineReader,
  sandboxed,
  sandboxObstacle,
  spawnGroup,
  withLimits,
  type GroupExit,
  type SandboxOptions,
} from "../process/index.js";

/** Limits of one build; see the table of defaults in docs/security.md. */
export const BUILD_LIMITS = {
  wallMs: 300_000,
  killAfterMs: 3_000,
  outputBytes: 1_000_000,
  memoryBytes: 4 * 1024 ** 3,
  processes: 4096,
} as const;

/** A C++ compiler needs about this much; more at once than fit would swap. */
const BYTES_PER_JOB = 700 * 1024 ** 2;

/** How many compilers may run at once: the CPUs, or what the free memory holds. */
export const buildJobs = (): number =>
  Math.max(1, Math.min(availableParallelism(), Math.floor(freemem() / BYTES_PER_JOB)));

export type ToolEnd = "ok" | "failed" | "cancelled" | "timed-out" | "not-started";

export interface ToolRun {
  command: string[];
  cwd: string;
  /** It gets what fenced programs may see of it. */
  env: NodeJS.ProcessEnv;
  sandbox: SandboxOptions;
  /** Address space of each process, in bytes; left out: that of a build. */
  memoryBytes?: number | undefined;
  signal: AbortSignal;
  /** When the whole build must be over, by `performance.now()`. */
  deadline: number;
  onLine: (line: string) => void;
  /** How the program ended, where `failed` is not enough. */
  onExit?: (exit: GroupExit) => void;
}

/**
 * Runs cmake or ninja with limits, sandboxed where that works, in a group of its own: cancelling
 * and running out of time take every compiler along.
 */
export async function runTool(run: ToolRun): Promise<ToolEnd> {
  if (run.signal.aborted) return "cancelled";
  const env = fencedEnvironment(run.env);
  const canFence = (await sandboxObstacle()) === "";
  const inside = canFence ? sandboxed(run.command, run.sandbox, run.env) : run.command;
  const [program = "", ...args] = withLimits(inside, {
    memoryBytes: run.memoryBytes ?? BUILD_LIMITS.memoryBytes,
    processes: BUILD_LIMITS.processes,
  });
  let group;
  try {
    group = await spawnGroup(program, args, {
      cwd: run.cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    run.onLine(`penstock: ${program} cannot be started: ${(error as Error).message}`);
    return "not-started";
  }
  const readers = [group.child.stdout, group.child.stderr].map((stream) => {
    const reader = new LineReader(run.onLine);
    stream?.on("data", (chunk: Buffer) => reader.push(chunk));
    return reader;
  });
  let end: ToolEnd | null = null;
  const stop = (why: ToolEnd): void => {
    end ??= why;
    void group.terminate(BUILD_LIMITS.killAfterMs);
  };
  const cancel = (): void => stop("cancelled");
  run.signal.addEventListener("abort", cancel, { once: true });
  const timer = setTimeout(() => stop("timed-out"), Math.max(0, run.deadline - performance.now()));
  if (run.signal.aborted) cancel();
  const exit = await group.exited;
  run.onExit?.(exit);
  clearTimeout(timer);
  run.signal.removeEventListener("abort", cancel);
  for (const reader of readers) reader.end();
  return end ?? (exit.code === 0 ? "ok" : "failed");
}
