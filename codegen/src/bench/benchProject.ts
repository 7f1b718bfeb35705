import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { BUILD_LIMITS, buildProject, takeBuildLock } from "../build/index.js";
import { ConfinedFolder, LockedError, WriteRefusal } from "../disk/index.js";
import { isClean, isOfEnvironment, problem, type Problem } from "../model/diagnostics/index.js";
import type { BenchFigures, BenchPhase, BenchResult, BenchSkip, BenchStatus } from "../contract/index.js";
import { parseTopology, type Topology } from "../model/topology/index.js";
import { labelOf, nodeOf, ownerOf, type BenchOwner } from "./benchName.js";
import { figuresAfter, keepFigures, readFigures } from "./figures.js";
import { spreadOf, type Left } from "./report.js";
import { BENCH_LIMITS, BenchProgram, secondsOfRun, type Run } from "./rounds.js";

export interface BenchRequest {
  /** Its C++ is generated already. */
  projectDir: string;
  /** Left out: every service. */
  service?: string;
  signal: AbortSignal;
  onStatus?(status: BenchStatus): void;
  /** Lines of the compiler; what the benchmarks print is not passed on. */
  onOutput?(line: string): void;
  /** Where the runtime is installed, `<runtimeRoot>/release/prefix`. */
  runtimeRoot: string;
  env?: NodeJS.ProcessEnv;
  /** How many times as long as usual the build and each run are waited for; once when left out. */
  patience?: number;
}

export interface BenchOutcome {
  /** `environment`: the machine is in the way, not the code. */
  outcome: "succeeded" | "failed" | "cancelled" | "environment";
  problems: Problem[];
  /** True when it came to figures, be it only for some services. */
  measured: boolean;
  /** Of this run where it measured, else of the last one. */
  figures: BenchFigures;
}

/** A benchmark in the course of a run. */
interface Entry {
  registered: string;
  owner: BenchOwner;
  nanoseconds: number[];
  /** Of the run that left most behind; undefined while none did. */
  left: Left | undefined;
  skip: BenchSkip | undefined;
}

/** What the runtime's throw_unimplemented says. */
const UNWRITTEN = / is not written yet$/;

const PRESET = "release";

/**
 * Builds a project's benchmarks and runs each in several rounds, one process a run: a crash costs
 * one service its figure, and what else happens on the machine is spread over all of them. Never
 * throws for what a user can meet: that is in `problems`.
 */
export async function benchProject(request: BenchRequest): Promise<BenchOutcome> {
  return new Bench(request, readFigures(request.projectDir)).run();
}

class Bench {
  private readonly started = performance.now();
  private readonly startedAtMs = Date.now();
  private readonly warnings: Problem[] = [];
  private entries: Entry[] = [];
  private progress = { done: 0, total: 0, current: "" };

  constructor(
    private readonly request: BenchRequest,
    private readonly before: BenchFigures,
  ) {}

  async run(): Promise<BenchOutcome> {
    const projectDir = await realpath(this.request.projectDir);
    const { topology, files } = drawnBenches(projectDir);
    if (!topology || !files.some((file) => file.endsWith("_bench.cpp"))) {
      return this.finish("failed", [problem("PS883", "", "There is no file bench/*_bench.cpp")]);
    }
    const { signal, runtimeRoot, env, patience = 1 } = this.request;
    const built = await buildProject({
      projectDir,
      preset: PRESET,
      target: "Benches",
      signal,
      wallMs: BUILD_LIMITS.wallMs * patience,
      runtimeRoot,
      ...(env ? { env } : {}),
      onOutput: (line) => this.request.onOutput?.(line),
      onStatus: ({ phase, done, total, current }) => {
        this.progress = { done, total, current };
        if (phase === "configuring" || phase === "compiling") this.status(phase);
      },
    });
    if (!built.ok) return this.finish(built.outcome, built.problems);
    this.warnings.push(...built.problems);
    try {
      // Nothing is built meanwhile: a compiler beside it would be measured too.
      const lock = await takeBuildLock(projectDir, "bench");
      try {
        return await this.measure(projectDir, topology);
      } finally {
        await lock.release();
      }
    } catch (error) {
      return this.finish("failed", [problemOf(error)]);
    }
  }

  private async measure(projectDir: string, topology: Topology): Promise<BenchOutcome> {
    const { signal, runtimeRoot, env, service, patience = 1 } = this.request;
    const buildDir = join(projectDir, "build", PRESET);
    const program = `build/${PRESET}/Checks/${topology.name}_benches`;
    if (!ConfinedFolder.within(projectDir, (folder) => folder.isPlainFile(program))) {
      return this.finish("failed", [problem("PS866", "", `${program} is no plain file`)]);
    }
    const executable = join(projectDir, program);
    this.progress = { done: 0, total: 0, current: "" };
    this.status("measuring");
    return BenchProgram.with(
      {
        executable,
        projectDir,
        buildDir,
        readable: [runtimeRoot],
        env: { ...(env ?? process.env), LC_ALL: "C.UTF-8" },
        signal,
        patience,
      },
      async (program) => {
        const names = await program.names();
        if (!Array.isArray(names)) return this.stopped(names);
        this.entries = names
          .map((registered) => ({
            registered,
            owner: ownerOf(registered, topology),
            nanoseconds: [],
            left: undefined,
            skip: undefined,
          }))
          .filter(({ owner }) => service === undefined || owner.service === service);
        if (this.entries.length === 0) {
          const whose = service === undefined ? "of any service" : `of ${service}`;
          return this.finish("failed", [problem("PS883", "", `There is no benchmark ${whose}`)]);
        }
        return this.rounds(program);
      },
    );
  }

  private async rounds(program: BenchProgram): Promise<BenchOutcome> {
    const seconds = secondsOfRun(this.entries.length);
    this.progress.total = BENCH_LIMITS.rounds * this.entries.length;
    for (let round = 0; round < BENCH_LIMITS.rounds; round++) {
      for (const entry of this.entries) {
        if (entry.skip === undefined) {
          this.progress.current = labelOf(entry.owner);
          this.status("measuring");
          const run = await program.measure(entry.registered, seconds);
          if (run.kind === "cancelled") return this.finish("cancelled", []);
          take(entry, run);
        }
        this.progress.done++;
      }
    }
    this.progress.current = "";
    const figures = figuresAfter(
      this.before,
      { ...this.figures(), measuredAtMs: Date.now() },
      this.request.service,
    );
    await keepFigures(this.request.projectDir, figures);
    const problems = this.entries.flatMap(({ owner, skip, left }) =>
      skip ? [problemOfSkip(owner, skip)] : left ? [problemOfLeft(owner, left)] : [],
    );
    return this.finish(isClean(problems) ? "succeeded" : "failed", problems, figures);
  }

  /** The program could not even say what it measures. */
  private stopped(run: Run): BenchOutcome {
    if (run.kind === "cancelled") return this.finish("cancelled", []);
    const reason = run.kind === "failed" ? run.reason : "says nothing";
    return this.finish("failed", [problem("PS882", "", `The benchmark program ${reason}`)]);
  }

  private figures(): Pick<BenchFigures, "results" | "skipped"> {
    return {
      results: this.entries.flatMap(({ owner, nanoseconds, left, skip }): BenchResult[] =>
        skip !== undefined || nanoseconds.length === 0
          ? []
          : [
              {
                ...owner,
                unit: "ns/call",
                ...spreadOf(nanoseconds),
                runs: nanoseconds.length,
                ...(left ? { left } : {}),
              },
            ],
      ),
      skipped: this.entries.flatMap(({ skip }) => (skip ? [skip] : [])),
    };
  }

  private finish(outcome: BenchOutcome["outcome"], found: Problem[], figures?: BenchFigures): BenchOutcome {
    const problems = [...found, ...this.warnings];
    const shown = figures ?? this.before;
    this.status(outcome === "environment" ? "failed" : outcome, { problems, figures: shown });
    const cause = outcome === "failed" && found.some(isOfEnvironment) ? "environment" : outcome;
    return { outcome: cause, problems, measured: figures !== undefined, figures: shown };
  }

  private status(
    phase: BenchPhase,
    { problems, figures }: { problems: Problem[]; figures: BenchFigures } = {
      problems: [],
      figures: this.shown(phase),
    },
  ): void {
    this.request.onStatus?.({
      phase,
      ...this.progress,
      startedAtMs: this.startedAtMs,
      milliseconds: Math.round(performance.now() - this.started),
      problems,
      ...figures,
    });
  }

  /** Until the first figure of this run comes, those of the last one stand. */
  private shown(phase: BenchPhase): BenchFigures {
    const { results, skipped } = this.figures();
    if (phase !== "measuring" || results.length + skipped.length === 0) return this.before;
    return figuresAfter(this.before, { results, skipped, measuredAtMs: null }, this.request.service);
  }
}

/** The drawing, and the names in `bench/`. */
const drawnBenches = (projectDir: string): { topology: Topology | undefined; files: string[] } =>
  ConfinedFolder.within(projectDir, (folder) => {
    try {
      const { topology } = parseTopology(folder.readIfPlain("topology.json") ?? "");
      return { topology, files: folder.list("bench") };
    } catch (error) {
      if (error instanceof WriteRefusal) return { topology: undefined, files: [] };
      throw error;
    }
  });

/** Adds a run's figure, or notes why there will be none. */
function take(entry: Entry, run: Run): void {
  const { owner } = entry;
  const skip = (reason: string, failed: boolean): void => {
    entry.skip = { ...owner, reason, failed };
  };
  if (run.kind === "failed") return skip(run.reason, true);
  if (run.kind === "cancelled") return;
  for (const one of run.figures) {
    if (one.kind === "time") entry.nanoseconds.push(one.nanoseconds);
    else if (UNWRITTEN.test(one.reason)) skip("its handler is not written yet", false);
    else skip(`ended with an error: ${one.reason}`, true);
  }
  if (run.figures.length === 0) skip("gave no figure", true);
  if (run.left !== undefined && weightOf(run.left) > weightOf(entry.left)) entry.left = run.left;
}

const weightOf = (left: Left | undefined): number =>
  left === undefined ? 0 : Math.max(left.blocks, left.unanswered);

function problemOfSkip(owner: BenchOwner, { reason, failed }: BenchSkip): Problem {
  const code = failed ? "PS882" : "PS881";
  return problem(code, "", `${labelOf(owner)} was not measured: ${reason}`, nodeOf(owner));
}

/** `Keeps left ...`: in the words of the runtime's testing.hpp. */
function problemOfLeft(owner: BenchOwner, { calls, unanswered, blocks }: Left): Problem {
  const count = (number: number): string => number.toLocaleString("en-US");
  const open = unanswered === 0 ? "" : `, and ${count(unanswered)} requests without an answer`;
  return problem(
    "PS889",
    "",
    `${labelOf(owner)} left ${count(blocks)} call frames, coroutine frames and messages behind after ${count(calls)} calls${open}`,
    nodeOf(owner),
  );
}

function problemOf(error: unknown): Problem {
  if (error instanceof LockedError) {
    return problem("PS859", "", `Another build or measurement is running (process ${error.pid})`);
  }
  if (error instanceof WriteRefusal) return error.problems[0] ?? problem("PS863", "", error.message);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return problem("PS858", "", "Measuring stopped: no space left on the disk of the build folder");
  }
  if (code === "EACCES" || code === "EROFS" || code === "EPERM") return problem("PS863", "", message);
  throw error;
}
