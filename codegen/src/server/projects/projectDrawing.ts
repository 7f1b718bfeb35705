import { watchFolder } from "../../disk/index.js";
import { LAYOUT_FILE, Refusal, TOPOLOGY_FILE } from "../../workspace/index.js";
import type { RunnersContext } from "./runnersContext.js";

/** From the last change of a file on: an editor may write it in several goes. */
const SETTLED_MS = 200;

/** Tells a project's tabs of a drawing that something else than this server has changed: the command line, an editor, git. */
export class ProjectDrawing {
  private timer: NodeJS.Timeout | null = null;
  /** What all tabs know to be on disk; null before there was one. */
  private known: string | null = null;
  private looking: Promise<void> = Promise.resolve();
  private end: () => void = () => undefined;

  constructor(
    private readonly project: { id: string; name: string; folder: string },
    private readonly context: Pick<RunnersContext, "workspace" | "toolchain" | "publish" | "log">,
    private readonly watching = watchFolder,
  ) {
    this.watch();
  }

  /** A tab was told of this revision. The folder is looked at anew: another may have taken its place meanwhile. */
  opened(revision: string): void {
    this.known ??= revision;
    this.watch();
  }

  private watch(): void {
    this.end();
    this.end = this.watching(this.project.folder, [TOPOLOGY_FILE, LAYOUT_FILE], () => {
      if (this.timer) clearTimeout(this.timer);
      this.timer = setTimeout(() => (this.looking = this.look()), SETTLED_MS);
      this.timer.unref();
    });
  }

  /** It was saved here, and all tabs are told. */
  saved(revision: string): void {
    this.known = revision;
  }

  /** Resolves when nothing of it is read any more. */
  async close(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.end();
    await this.looking;
  }

  private async look(): Promise<void> {
    const { id: project, name } = this.project;
    try {
      const { revision, topologyHash } = await this.onDisk();
      if (revision === this.known) return;
      this.known = revision;
      this.context.publish({ type: "saved", project, revision, topologyHash });
    } catch (error) {
      // It was taken away.
      this.context.log(`${name}: ${(error as Error).message}`);
    }
  }

  /** Read in turn with saves, so that what is told is in their order. One that is damaged has a revision, too. */
  private async onDisk(): Promise<{ revision: string; topologyHash: string }> {
    const { workspace, toolchain } = this.context;
    try {
      const { document, topology } = await workspace.drawn(this.project.id);
      return { revision: document.revision, topologyHash: topology ? toolchain.format.hash(topology) : "" };
    } catch (error) {
      const revision = error instanceof Refusal ? error.extra?.["revision"] : undefined;
      if (typeof revision !== "string") throw error;
      return { revision, topologyHash: "" };
    }
  }
}
