import { watchFolder } from "../../disk/index.js";
import { LAYOUT_FILE, TOPOLOGY_FILE } from "../../workspace/index.js";
import type { RunnersContext } from "./runnersContext.js";

/** From the last change of a file on: an editor may write it in several goes. */
const SETTLED_MS = 200;

/** Tells a project's tabs of a drawing that something else than this server has changed: the command line, an editor, git. */
export class ProjectDrawing {
  private timer: NodeJS.Timeout | null = null;
  /** What the tabs know to be on disk. */
  private known: string | null = null;
  private readonly end: () => void;

  constructor(
    private readonly project: { id: string; name: string; folder: string },
    private readonly context: RunnersContext,
  ) {
    const files = new Set([TOPOLOGY_FILE, LAYOUT_FILE]);
    this.end = watchFolder(
      project.folder,
      (name) => files.has(name),
      () => {
        if (this.timer) clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.look(), SETTLED_MS);
        this.timer.unref();
      },
    );
  }

  /** The tabs were told of this revision, or are about to be. */
  know(revision: string): void {
    this.known = revision;
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.end();
  }

  private async look(): Promise<void> {
    const { id: project, name } = this.project;
    const { workspace, toolchain } = this.context;
    try {
      // In turn with saves: what is read was not yet told of, or is the one on disk.
      const { document, topology } = await workspace.drawn(project);
      const { revision } = document;
      if (this.known === null || revision === this.known) return;
      this.known = revision;
      this.context.publish({
        type: "saved",
        project,
        revision,
        topologyHash: topology ? toolchain.format.hash(topology) : "",
      });
    } catch (error) {
      // It was taken away, or put aside for a moment.
      this.context.log(`${name}: ${(error as Error).message}`);
    }
  }
}
