import {
  fencedEnvironment,
  findProgram,
  LineReader,
  sandboxed,
  sandboxObstacle,
  spawnGroup,
  type GroupExit,
} from "../process/index.js";
import { NotRecorded, perfFailure, perfMissing } from "./perfFailure.js";

/** Looks a second at each CPU. No round number: work that is done by a clock would be met always or never. */
const FREQUENCY = 199;
/**
 * Bytes of each stack that are copied: binaries keep no frame pointers, so callers are found in what the compiler wrote
 * about its frames. What is deeper is cut.
 */
const STACK_BYTES = 8192;
const LARGEST = "256M";
const LONGEST_LINE = 65_536;
const WORDS_KEPT = 8_192;
const KILL_AFTER_MS = 3_000;
/** More than a recording may take beyond its time, and than reading one may take. */
const SLACK_MS = 60_000;

interface PerfRun {
  args: string[];
  /** Runs within these folders alone, without a network, where this machine can do so. */
  readable?: string[];
  signal: AbortSignal;
  withinMs: number;
  onLine?: (line: string) => void;
}

/** Runs perf; gives how it ended and the beginning of what it said on stderr. */
async function runPerf(run: PerfRun): Promise<GroupExit & { words: string }> {
  const perf = await findProgram("perf");
  if (perf === undefined) throw perfMissing();
  const fenced = run.readable !== undefined && (await sandboxObstacle()) === "";
  const command = [perf, ...run.args];
  const [program = "", ...args] = fenced
    ? sandboxed(command, { readable: run.readable ?? [], writable: [], network: false })
    : command;
  const group = await spawnGroup(program, args, {
    env: { ...fencedEnvironment(process.env), LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const reader = new LineReader((line) => run.onLine?.(line), LONGEST_LINE);
  let words = "";
  group.child.stdout?.on("data", (chunk: Buffer) => reader.push(chunk));
  group.child.stderr?.on("data", (chunk: Buffer) => {
    if (words.length < WORDS_KEPT) words += chunk.toString("utf8");
  });
  let late = false;
  const end = (): void => void group.terminate(KILL_AFTER_MS);
  const timer = setTimeout(() => {
    late = true;
    end();
  }, run.withinMs);
  run.signal.addEventListener("abort", end, { once: true });
  if (run.signal.aborted) end();
  const exit = await group.exited;
  clearTimeout(timer);
  run.signal.removeEventListener("abort", end);
  reader.end();
  run.signal.throwIfAborted();
  if (late) throw new NotRecorded("perf did not end in time", "Record for fewer seconds.");
  return { ...exit, words };
}

/**
 * Records processes into a file; gives for how many seconds: fewer where they ended, or where the file was full. @throws {NotRecorded} @throws what the signal was aborted with
 */
export async function record(options: {
  pids: readonly number[];
  seconds: number;
  file: string;
  signal: AbortSignal;
  patience: number;
}): Promise<number> {
  const { pids, seconds, file, signal, patience } = options;
  const began = performance.now();
  const {
    code,
    signal: killed,
    words,
  } = await runPerf({
    args: [
      ...["record", "-q", "-F", String(FREQUENCY), "--call-graph", `dwarf,${STACK_BYTES}`],
      // Nothing is kept in the user's ~/.debug.
      ...["--no-buildid", "--no-buildid-cache", `--max-size=${LARGEST}`, "-o", file],
      ...["-p", pids.join(","), "--", "sleep", String(seconds)],
    ],
    signal,
    withinMs: seconds * 1000 + SLACK_MS * patience,
  });
  // Before its time it ends its `sleep` by this signal, then itself by the same, and what it has recorded is whole.
  if (killed === "SIGTERM")
    return Math.min(seconds, Math.max(1, Math.round((performance.now() - began) / 1000)));
  if (code !== 0) throw perfFailure(words);
  return seconds;
}

/** Gives the lines of a recording. @param readable where alone perf may look, for a binary whose code is not trusted */
export async function readRecording(options: {
  file: string;
  readable: string[] | undefined;
  signal: AbortSignal;
  patience: number;
  onLine: (line: string) => void;
}): Promise<void> {
  const { file, readable, signal, patience, onLine } = options;
  const { code, words } = await runPerf({
    args: ["script", "-i", file, "--no-inline", "-F", "comm,tid,time,ip,sym,dso"],
    ...(readable === undefined ? {} : { readable }),
    signal,
    withinMs: SLACK_MS * patience,
    onLine,
  });
  if (code !== 0) throw perfFailure(words);
}
