import { BUILD_LIMITS, buildProject } from "../../build/index.js";
import { isClean, type Problem } from "../../model/diagnostics/index.js";
import type { BenchPhase, BuildPhase, BuildStatus, GenerateAnswer } from "../../contract/index.js";
import { Refusal } from "../../workspace/index.js";
import { Batch } from "./batch.js";
import type { RunnersContext } from "./runnersContext.js";

const IDLE: BuildStatus = {
  phase: "idle",
  done: 0,
  total: 0,
  current: "",
  startedAtMs: null,
  milliseconds: 0,
  problems: [],
};

/** Lets one build or measurement run at a time, over all projects of the server. */
export class BuildSlot {
  private holder: string | null = null;

  take(project: string, what: "built" | "measured"): void {
    if (this.holder !== null) {
      throw new Refusal("busy", `${this.holder} right now`, "Wait for it, or cancel it.");
    }
    this.holder = `${project} is being ${what}`;
  }

  give(): void {
    this.holder = null;
  }
}

/** Generates and builds one project, and tells its tabs how far it is. */
export class ProjectBuild {
  private own: BuildStatus = IDLE;
  private runProblems: Problem[] = [];
  private abort: AbortController | null = null;
  /** How the build that runs has ended. */
  private end: BuildStatus | undefined;
  private readonly output: Batch<string>;

  constructor(
    private readonly project: { id: string; name: string; folder: string },
    private readonly context: RunnersContext,
    private readonly slot: BuildSlot,
  ) {
    this.output = new Batch(100, 500, (lines, dropped) => {
      const left = dropped > 0 ? [`... ${dropped} lines left out ...`] : [];
      context.publish({ type: "build-output", project: project.id, lines: [...left, ...lines] });
    });
  }

  /** Generates for its own sake; what a failed build said before is over when that succeeds. */
  async generate(force: boolean): Promise<GenerateAnswer> {
    const answer = await this.write(force);
    if (answer.ok && this.own.phase === "failed") this.tell({ ...IDLE, problems: answer.problems });
    return answer;
  }

  private async write(force: boolean): Promise<GenerateAnswer> {
    const { workspace, toolchain } = this.context;
    return workspace.changing(async () => {
      const { ok, problems, written, unchanged, removed, milliseconds } = await toolchain.generate(
        this.project.folder,
        { force },
      );
      return { ok, problems, written, unchanged, removed, milliseconds };
    });
  }

  /**
   * Takes the slot at once (or refuses), then generates and builds; true when the binaries are good.
   * @param obstacles what speaks against building what was generated
   */
  start(preset: string, obstacles?: () => Promise<Problem[]>): Promise<boolean> {
    this.slot.take(this.project.name, "built");
    const abort = new AbortController();
    this.abort = abort;
    return this.run(preset, abort.signal, obstacles).finally(() => {
      this.abort = null;
      this.slot.give();
      // Not before: whoever is told that it has ended may begin the next one.
      if (this.end) this.tell(this.end);
      this.end = undefined;
    });
  }

  get isRunning(): boolean {
    return this.abort !== null;
  }

  /** False when nothing was being built. */
  cancel(): boolean {
    this.abort?.abort();
    return this.abort !== null;
  }

  /** Problems of running binaries, which are told behind those of the build, whatever becomes of that. */
  setRunProblems(problems: Problem[]): void {
    this.runProblems = problems;
    this.tell(this.own);
  }

  get status(): BuildStatus {
    return { ...this.own, problems: [...this.own.problems, ...this.runProblems] };
  }

  private async run(
    preset: string,
    signal: AbortSignal,
    obstacles: () => Promise<Problem[]> = async () => [],
  ): Promise<boolean> {
    const startedAtMs = Date.now();
    const began = performance.now();
    const base = (): BuildStatus => ({
      ...IDLE,
      startedAtMs,
      milliseconds: Math.round(performance.now() - began),
    });
    this.tell({ ...base(), phase: "generating" });
    let warnings: Problem[] = [];
    /** Gives why what is drawn is not to be built. */
    const generate = async (): Promise<Problem[] | undefined> => {
      warnings = [];
      const { ok, problems } = await this.write(false);
      if (!ok || !isClean(problems)) return problems;
      const found = await obstacles();
      if (found.length > 0) return [...found, ...problems];
      warnings = problems;
      return undefined;
    };
    try {
      const against = await generate();
      if (against !== undefined) {
        this.end = { ...base(), phase: "failed", problems: against };
        return false;
      }
      const built = await buildProject({
        projectDir: this.project.folder,
        preset,
        signal,
        wallMs: BUILD_LIMITS.wallMs * this.context.patience,
        runtimeRoot: this.context.runtimeRoot,
        generateAnew: generate,
        onStatus: (status) => {
          const own = { ...base(), ...progressOf(status), problems: [...status.problems, ...warnings] };
          if (hasEnded(status.phase)) this.end = own;
          else this.tell(own);
        },
        onOutput: (line) => this.output.add(line),
      });
      this.output.flush();
      return built.ok;
    } catch (error) {
      this.end = { ...base(), phase: "failed", problems: [] };
      this.output.add(`penstock: ${(error as Error).message}`);
      this.output.flush();
      throw error;
    }
  }

  private tell(status: BuildStatus): void {
    this.own = status;
    this.context.publish({ type: "build", project: this.project.id, status: this.status });
  }
}

/** Of a build, or of a measurement. */
export const hasEnded = (phase: BuildPhase | BenchPhase): boolean =>
  phase === "succeeded" || phase === "failed" || phase === "cancelled";

function progressOf({ phase, done, total, current }: BuildStatus): Partial<BuildStatus> {
  return { phase, done, total, current };
}
