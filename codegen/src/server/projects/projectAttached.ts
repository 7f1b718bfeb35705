import type { Problem } from "../../model/diagnostics/index.js";
import type { Topology } from "../../model/topology/index.js";
import { PATIENCE_MS } from "../../live/index.js";
import {
  attachBinary,
  AttachRefused,
  forgetAttached,
  listAttached,
  listRunning,
  nameOfRunning,
  readControlAddress,
  readControlToken,
  stillAttached,
  type AttachedBinary,
} from "../../run/index.js";
import { Refusal } from "../../workspace/index.js";

/** What is attached to a project, by its notes: the command line writes the same ones. */
export class ProjectAttached {
  private reading: Promise<void> = Promise.resolve();
  /** The look that waits for the one before to end: what changes until then it sees. */
  private next: Promise<void> | null = null;
  private isClosed = false;

  /** @param take is told what is attached, in this order */
  constructor(
    private readonly folder: string,
    private readonly patience: number,
    private readonly take: (attached: readonly AttachedBinary[]) => void,
  ) {}

  /** Reads the notes, after whoever does so already. */
  look(): Promise<void> {
    this.next ??= this.reading
      .catch(() => undefined)
      .then(() => {
        this.next = null;
        return this.read();
      });
    this.reading = this.next;
    return this.next;
  }

  private async read(): Promise<void> {
    if (this.isClosed) return;
    const attached = stillAttached(await listAttached(this.folder), await listRunning(this.folder));
    if (!this.isClosed) this.take(attached);
  }

  /** Resolves when it reads no more, and tells nothing more. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.reading.catch(() => undefined);
  }

  async attach(
    topology: Topology,
    asked: { address: string; token: string },
  ): Promise<{ binary: string; name: string; problems: Problem[] }> {
    try {
      const { entry, warnings } = await attachBinary({
        projectDir: this.folder,
        topology,
        control: readControlAddress(asked.address),
        token: readControlToken(asked.token),
        withinMs: PATIENCE_MS * this.patience,
      });
      await this.look();
      return { binary: entry.binary, name: nameOfRunning(entry), problems: warnings };
    } catch (error) {
      if (!(error instanceof AttachRefused)) throw error;
      const { problem } = error;
      throw new Refusal("refused", problem.message, problem.help, [problem]);
    }
  }

  /** Takes out the one of that name. */
  async detach(name: string): Promise<void> {
    const entry = (await listAttached(this.folder)).find((one) => nameOfRunning(one) === name);
    if (!entry) throw new Refusal("not-found", `${name} is not attached`, "Look at the list again.");
    await forgetAttached(entry);
    await this.look();
  }
}
