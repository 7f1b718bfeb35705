import { benchProject, readFigures } from "../../bench/index.js";
import { isClean, type Problem } from "../../model/diagnostics/index.js";
import type { BenchPhase, BenchStatus, GenerateAnswer } from "../../contract/index.js";
import { Batch } from "./batch.js";
import { hasEnded, type BuildSlot } from "./projectBuild.js";
import type { RunnersContext } from "./runnersContext.js";

/** Runs a project's benchmarks, tells its tabs how far they are, and keeps the figures. */
export class ProjectBench {
  private status: BenchStatus | null = null;
  private task: { abort: AbortController; ended: Promise<void> } | null = null;
  /** How the measurement that runs has ended. */
  private end: BenchStatus | undefined;
  private readonly output: Batch<string>;

  constructor(
    private readonly project: { id: string; name: string; folder: string },
    private readonly context: RunnersContext,
    private readonly slot: BuildSlot,
    private readonly generate: () => Promise<GenerateAnswer>,
  ) {
    this.output = new Batch(100, 500, (lines) =>
      context.publish({ type: "build-output", project: project.id, lines }),
    );
  }

  /** What a tab is told that has just opened the project: the figures kept on disk until something is measured. */
  now(): BenchStatus {
    this.status ??= {
      ...readFigures(this.project.folder),
      phase: "idle",
      done: 0,
      total: 0,
      current: "",
      startedAtMs: null,
      milliseconds: 0,
      problems: [],
    };
    return this.status;
  }

  /** Takes the slot of builds at once, or refuses: a compiler beside it would be measured too. */
  start(service: string | undefined): Promise<void> {
    this.slot.take(this.project.name, "measured");
    const abort = new AbortController();
    const ended = this.run(service, abort.signal).finally(() => {
      this.task = null;
      this.slot.give();
      // As of a build: not before.
      if (this.end) this.tell(this.end);
      this.end = undefined;
    });
    this.task = { abort, ended };
    return ended;
  }

  /** Resolves when nothing of it runs any more; false when nothing did. */
  async cancel(): Promise<boolean> {
    const { task } = this;
    if (!task) return false;
    task.abort.abort();
    await task.ended.catch(() => undefined);
    return true;
  }

  private async run(service: string | undefined, signal: AbortSignal): Promise<void> {
    const before = this.now();
    const startedAtMs = Date.now();
    const step = (phase: BenchPhase, problems: Problem[]): BenchStatus => {
      return { ...before, phase, done: 0, total: 0, current: "", startedAtMs, milliseconds: 0, problems };
    };
    this.tell(step("generating", []));
    try {
      const generated = await this.generate();
      if (!generated.ok || !isClean(generated.problems)) {
        this.end = step("failed", generated.problems);
        return;
      }
      await benchProject({
        projectDir: this.project.folder,
        runtimeRoot: this.context.runtimeRoot,
        signal,
        patience: this.context.patience,
        ...(service === undefined ? {} : { service }),
        onStatus: (status) => {
          if (hasEnded(status.phase)) this.end = status;
          else this.tell(status);
        },
        onOutput: (line) => this.output.add(line),
      });
      this.output.flush();
    } catch (error) {
      this.end = step("failed", []);
      this.output.add(`penstock: ${(error as Error).message}`);
      this.output.flush();
      throw error;
    }
  }

  private tell(status: BenchStatus): void {
    this.status = status;
    this.context.publish({ type: "bench", project: this.project.id, status });
  }
}
