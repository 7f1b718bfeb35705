import { listRunning, noteFound, type StartedBinary } from "./registry.js";

/**
 * Where a load notes the rates that it finds: beside the processes of a project that it is put on, so that whoever starts
 * one of them anew, after a crash under the load, does not take the load's rate for one that was asked for.
 */
export class LoadNotes {
  constructor(
    private readonly project: string,
    private readonly isLoaded: (entry: StartedBinary) => boolean,
  ) {}

  /** What the flow's source made in each process; again with each change, for those that were started meanwhile. */
  note(flow: string, perSecond: number): Promise<void> {
    return this.change((found) => ({ ...found, [flow]: perSecond }));
  }

  /** Those that run have it back. */
  forget(flow: string): Promise<void> {
    return this.change((found) =>
      Object.fromEntries(Object.entries(found).filter(([name]) => name !== flow)),
    );
  }

  private async change(how: Parameters<typeof noteFound>[1]): Promise<void> {
    const loaded = (await listRunning(this.project)).filter(this.isLoaded);
    await Promise.all(loaded.map((entry) => noteFound(entry, how)));
  }
}
