import { PROFILE_SECONDS, type LiveSchema, type Profile, type ProfileRequest } from "../../contract/index.js";
import type { Topology } from "../../model/topology/index.js";
import { NotRecorded, profileBinary } from "../../profile/index.js";
import { listRunning, nameOfRunning } from "../../run/index.js";
import { Refusal } from "../../workspace/index.js";
import type { RunnersContext } from "./runnersContext.js";

/** Records the running binaries of one project, one at a time. */
export class ProjectProfile {
  private task: { abort: AbortController; ended: Promise<unknown> } | null = null;

  constructor(
    private readonly project: { id: string; name: string; folder: string },
    private readonly context: RunnersContext,
    private readonly topology: () => Promise<Topology | undefined>,
    private readonly schemaOf: (binary: string) => LiveSchema | null,
  ) {}

  /** Resolves when it is recorded and read. @param awaited aborted when nobody waits for it any more, which ends it */
  start(request: ProfileRequest, awaited: AbortSignal): Promise<Profile> {
    if (this.task)
      throw new Refusal("busy", `${this.project.name} is being recorded`, "Wait for it, or cancel it.");
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, awaited]);
    const ended = this.record(request, signal).finally(() => (this.task = null));
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

  private async record(
    { binary, seconds = PROFILE_SECONDS.usual }: ProfileRequest,
    signal: AbortSignal,
  ): Promise<Profile> {
    const cancelled = (): Refusal =>
      new Refusal("unavailable", "The recording was cancelled", "Record again.");
    if (signal.aborted) throw cancelled();
    const topology = await this.topology();
    if (!topology) throw new Refusal("damaged", "The drawing cannot be read", "Correct it, then record.");
    const running = await listRunning(this.project.folder);
    const processes = running
      .filter((entry) => entry.binary === binary)
      .map((entry) => ({ name: nameOfRunning(entry), pid: entry.pid }));
    if (processes.length === 0)
      throw new Refusal(
        "unavailable",
        `No process of ${binary} was started here`,
        "Run it first; what is attached is recorded where it runs.",
      );
    try {
      const { profile } = await profileBinary({
        ...{ projectDir: this.project.folder, topology, binary, processes, seconds, signal },
        running: () => this.schemaOf(binary),
        fenced: !(await this.context.workspace.isOwn(this.project.id)),
        patience: this.context.patience,
      });
      return profile;
    } catch (error) {
      if (signal.aborted) throw cancelled();
      if (!(error instanceof NotRecorded)) throw error;
      const { problem } = error;
      throw new Refusal("unavailable", problem.message, problem.help, [problem]);
    }
  }
}
