import { builderOf } from "../../build/index.js";
import { listAttached, listRunning, watchNotes } from "../../run/index.js";
import { Refusal } from "../../workspace/index.js";
import { BuildSlot } from "./projectBuild.js";
import { ProjectRunner } from "./projectRunner.js";
import type { RunnersContext } from "./runnersContext.js";

/** The runner of each project that was opened since the server started. */
export class ProjectRunners {
  private readonly runners = new Map<string, ProjectRunner>();
  private readonly slot = new BuildSlot();
  private readonly moving = new Set<string>();
  private readonly watching: NodeJS.Timeout;
  private readonly endNotes: () => Promise<void>;

  constructor(private readonly context: RunnersContext) {
    this.watching = setInterval(() => {
      for (const [project, runner] of this.runners) runner.setWatched(context.isWatched(project));
    }, 500);
    this.watching.unref();
    this.endNotes = watchNotes(() => {
      for (const runner of this.runners.values()) void this.lookAttached(runner);
    });
  }

  /** What the command line attaches and detaches is seen here too. */
  private lookAttached(runner: ProjectRunner): Promise<void> {
    return runner.attached
      .look()
      .catch((error: unknown) => this.context.log(`${runner.name}: ${(error as Error).message}`));
  }

  /** The runner of a project that was opened. */
  known(project: string): ProjectRunner | undefined {
    return this.runners.get(project);
  }

  async of(project: string): Promise<ProjectRunner> {
    const { workspace } = this.context;
    this.refuseWhileMoving(project);
    const folder = await workspace.folderOf(project).catch((error: unknown) => {
      // Its folder was taken away: what still runs of it can be stopped, and read.
      if (this.runners.get(project)?.isAlive) return "";
      throw error;
    });
    this.refuseWhileMoving(project);
    const known = this.runners.get(project);
    if (known) return known;
    const name = folder.slice(workspace.root.length + 1);
    const runner = new ProjectRunner({ id: project, name, folder }, this.context, this.slot);
    this.runners.set(project, runner);
    void this.lookAttached(runner);
    return runner;
  }

  private refuseWhileMoving(project: string): void {
    if (this.moving.has(project))
      throw new Refusal("busy", "The project is being moved", "Look at the list again.");
  }

  /** Moves a project's folder away from under its name: nothing of it runs before, or begins meanwhile. */
  async whileStill<T>(project: string, move: () => Promise<T>): Promise<T> {
    const runner = await this.of(project);
    const folder = await this.context.workspace.folderOf(project);
    if (this.moving.has(project) || runner.isAlive || (await listRunning(folder)).length > 0)
      throw new Refusal("busy", `${runner.name} is running`, "Stop it first.");
    if ((await listAttached(folder)).length > 0)
      throw new Refusal("busy", `${runner.name} has processes that are attached`, "Detach them first.");
    this.moving.add(project);
    try {
      // Ends what this server builds there; the command line is asked to finish.
      await runner.close();
      const builder = await builderOf(folder);
      if (builder !== undefined)
        throw new Refusal(
          "busy",
          `${runner.name} is being built by process ${builder}`,
          "Wait for it first.",
        );
      return await move();
    } finally {
      // Also of one that could not be moved: this one is closed.
      this.runners.delete(project);
      this.moving.delete(project);
    }
  }

  /** Stops every build and every binary. */
  async close(): Promise<void> {
    clearInterval(this.watching);
    await this.endNotes();
    await Promise.all([...this.runners.values()].map((runner) => runner.close()));
  }
}
