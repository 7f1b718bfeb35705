import { problem } from "../../model/diagnostics/index.js";
import type { LiveReplicas } from "../../live/index.js";
import {
  FlowDriver,
  HttpDriver,
  keepInProject,
  type LoadDriver,
  loadProblems,
  LoadRefused,
  readInProject,
  runLoad,
} from "../../load/index.js";
import { headerOf, type LoadReport, type LoadRequest, type LoadStatus } from "../../contract/index.js";
import { LoadNotes, readAuthority } from "../../run/index.js";
import { Refusal } from "../../workspace/index.js";
import type { RunnersContext } from "./runnersContext.js";

const CONNECTIONS = 256;
const TIMEOUT_MS = 10_000;

/** Loads one project's flows, or an address, tells its tabs every second, and keeps the last report. */
export class ProjectLoad {
  private status: LoadStatus | null = null;
  /** Tells the end of the last load again, of which less is left by now. */
  private tellEnd: () => void = () => undefined;
  private task: { abort: AbortController; ended: Promise<void> } | null = null;

  constructor(
    private readonly project: { id: string; name: string; folder: string },
    private readonly context: RunnersContext,
    private readonly liveOf: (binary: string) => LiveReplicas | null,
  ) {}

  get isLoading(): boolean {
    return this.task !== null;
  }

  /** What a tab is told that has just opened the project: the report kept on disk until there is a load. */
  now(): LoadStatus {
    this.status ??= { phase: "idle", report: readInProject(this.project.folder), problems: [] };
    return this.status;
  }

  /** Begins at once, or refuses. Resolves at the end of the load. */
  start(request: LoadRequest): Promise<void> {
    if (this.task)
      throw new Refusal("busy", `${this.project.name} is being loaded right now`, "Wait for it, or stop it.");
    const driver = this.driverFor(request);
    const abort = new AbortController();
    const ended = this.run(request, driver, abort.signal).finally(() => (this.task = null));
    this.task = { abort, ended };
    return ended;
  }

  async cancel(): Promise<boolean> {
    const { task } = this;
    if (!task) return false;
    task.abort.abort();
    await task.ended.catch(() => undefined);
    return true;
  }

  private driverFor({ target, body, headers = [] }: LoadRequest): LoadDriver {
    const { patience } = this.context;
    if (target.kind === "url") {
      return new HttpDriver({
        url: new URL(target.url),
        method: target.method,
        body,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...Object.fromEntries(headers.map(headerOf).filter((one) => one !== undefined)),
        },
        authority: readAuthority(this.project.folder),
        connections: CONNECTIONS,
        timeoutMs: TIMEOUT_MS * patience,
        patience,
      });
    }
    const live = this.liveOf(target.binary);
    if (live === null) throw new Refusal("unavailable", `${target.binary} is not running`, "Run it first.");
    const notes = new LoadNotes(this.project.folder, ({ binary }) => binary === target.binary);
    return new FlowDriver(live, target.flow, patience, notes, () => this.tellEnd());
  }

  private async run(
    { target, settings }: LoadRequest,
    driver: LoadDriver,
    signal: AbortSignal,
  ): Promise<void> {
    this.tellEnd = () => undefined;
    this.tell({ phase: "starting", report: null, problems: [] });
    let latest: LoadReport | null = null;
    try {
      const report = await runLoad({
        target,
        settings,
        driver,
        signal,
        onReport: (one) => {
          latest = one;
          this.follow(one);
        },
      });
      if (report.seconds.length > 0) await keepInProject(this.project.folder, report);
      this.tellEnd = () => {
        const problems = [...loadProblems(report), ...driver.left()];
        this.tell({ phase: report.outcome, report, problems });
      };
      this.tellEnd();
    } catch (error) {
      const refused = error instanceof LoadRefused;
      const { code, message, help } = refused
        ? error
        : { code: "PS886", message: (error as Error).message, help: "" };
      const reason = { ...problem("PS886", "", message), code, ...(help === "" ? {} : { help }) };
      this.tell({ phase: "failed", report: latest, problems: [reason] });
      if (!refused) throw error;
    }
  }

  /** A whole report once at the beginning, then second by second: it may grow long. */
  private follow(report: LoadReport): void {
    const second = report.seconds.at(-1);
    if (second === undefined) return this.tell({ phase: "loading", report, problems: [] });
    this.status = { phase: "loading", report, problems: [] };
    const { heldPerSecond } = report;
    this.context.publish({ type: "load-second", project: this.project.id, second, heldPerSecond });
  }

  private tell(status: LoadStatus): void {
    this.status = status;
    this.context.publish({ type: "load", project: this.project.id, status });
  }
}
