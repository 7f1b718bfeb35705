import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { OutputTail, runTool, type ToolEnd } from "../build/index.js";
import { ConfinedFolder } from "../disk/index.js";
import { exitCause, unwrapExit, type Exit } from "../process/index.js";
import { readLeft, readReport, type Left, type Measured } from "./report.js";

/** How a measurement is made; docs/cli.md says so too. */
export const BENCH_LIMITS = {
  /** Each benchmark runs so many times, each time in a process of its own. */
  rounds: 5,
  /** A run takes at least this long, less where there are so many that it would take minutes. */
  runSeconds: 0.2,
  allSeconds: 60,
  shortestSeconds: 0.01,
  /** A single run that takes longer is ended. */
  runMs: 60_000,
  /** All of it, the build apart. */
  wallMs: 900_000,
  reportBytes: 4_000_000,
} as const;

/** A program may name benchmarks without end. */
const MOST_NAMES = 10_000;

const REPORT = "report.json";
/** Written by the runtime's test binary where PENSTOCK_LEFT_FILE says so, once a run. */
const LEFT = "left.json";

export interface Program {
  executable: string;
  projectDir: string;
  buildDir: string;
  readable: string[];
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** How many times as long as usual it is waited for. */
  patience: number;
}

/** What a run of one benchmark came to. */
export type Run =
  | { kind: "measured"; figures: Measured[]; left?: Left | undefined }
  | { kind: "cancelled" }
  /** It crashed, took too long or cannot be started; `reason` says which. */
  | { kind: "failed"; reason: string };

/** A regular expression of Google Benchmark for exactly this name. */
const exactly = (name: string): string => `^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;

/** The benchmarks of one program, run one at a time in the fence that builds run in. */
export class BenchProgram {
  private readonly wallMs: number;
  private readonly runMs: number;
  private readonly until: number;

  private constructor(
    private readonly program: Program,
    /** The only folder that the program may write to. */
    private readonly folder: string,
  ) {
    this.wallMs = BENCH_LIMITS.wallMs * program.patience;
    this.runMs = BENCH_LIMITS.runMs * program.patience;
    this.until = performance.now() + this.wallMs;
  }

  /** Runs `use` with the program and takes its folder away afterwards. */
  static async with<T>(program: Program, use: (bench: BenchProgram) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(program.buildDir, "bench-"));
    try {
      return await use(new BenchProgram(program, folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Names as they are registered, or why the program cannot say them. */
  async names(): Promise<Run | string[]> {
    const lines: string[] = [];
    const run = await this.run(["--benchmark_list_tests=true"], (line) => {
      if (lines.length < MOST_NAMES) lines.push(line);
    });
    if (run.kind !== "measured") return run;
    return lines.map((line) => line.trim()).filter((line) => /^[^\s/]+(?:\/\S+)*$/.test(line));
  }

  /** One run of one benchmark that takes at least `seconds`. */
  async measure(name: string, seconds: number): Promise<Run> {
    const file = join(this.folder, REPORT);
    for (const name of [REPORT, LEFT]) await rm(join(this.folder, name), { force: true });
    const run = await this.run([
      `--benchmark_filter=${exactly(name)}`,
      `--benchmark_min_time=${seconds}`,
      "--benchmark_repetitions=1",
      `--benchmark_out=${file}`,
      "--benchmark_out_format=json",
      "--benchmark_color=false",
    ]);
    if (run.kind !== "measured") return run;
    const figures = readReport(this.written(REPORT));
    return figures === undefined
      ? { kind: "failed", reason: "wrote no report of its figures" }
      : { kind: "measured", figures, left: readLeft(this.written(LEFT)) };
  }

  private async run(args: string[], onLine?: (line: string) => void): Promise<Run> {
    const { executable, projectDir, readable, env, signal } = this.program;
    const tail = new OutputTail(20_000);
    let exit: Exit = { code: null, signal: null };
    const runEnds = performance.now() + this.runMs;
    const end = await runTool({
      command: [executable, ...args],
      cwd: projectDir,
      env: { ...env, PENSTOCK_LEFT_FILE: join(this.folder, LEFT) },
      sandbox: {
        readable: [projectDir, ...readable],
        writable: [this.folder],
        network: false,
      },
      signal,
      deadline: Math.min(this.until, runEnds),
      onLine: (line) => {
        tail.push(line);
        onLine?.(line);
      },
      onExit: (one) => (exit = one),
    });
    return this.outcome(end, exit, tail);
  }

  /** What the program wrote; "" when there is no such plain file, or too large a one. */
  private written(name: string): string {
    return ConfinedFolder.within(
      this.folder,
      (folder) => folder.readIfPlain(name, BENCH_LIMITS.reportBytes) ?? "",
    );
  }

  private outcome(end: ToolEnd, exit: Exit, tail: OutputTail): Run {
    if (end === "ok") return { kind: "measured", figures: [] };
    if (end === "cancelled") return { kind: "cancelled" };
    if (end === "timed-out") {
      const seconds = (performance.now() < this.until ? this.runMs : this.wallMs) / 1000;
      return { kind: "failed", reason: `was ended after ${seconds} s` };
    }
    const said = tail.all().findLast((line) => line.trim() !== "");
    const how =
      end === "not-started" ? "cannot be started" : `crashed (${exitCause(unwrapExit(exit, true))})`;
    return { kind: "failed", reason: said === undefined ? how : `${how}: ${said.trim()}` };
  }
}

/** So long may one run take at least, that all of them end in about a minute. */
export function secondsOfRun(benchmarks: number): number {
  const { rounds, runSeconds, allSeconds, shortestSeconds } = BENCH_LIMITS;
  const fair = allSeconds / (rounds * Math.max(1, benchmarks));
  return Math.max(shortestSeconds, Math.min(runSeconds, Number(fair.toFixed(3))));
}
