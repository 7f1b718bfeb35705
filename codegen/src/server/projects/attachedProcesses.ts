import type { LiveReplicas } from "../../live/index.js";
import { MOST_REPLICAS } from "../../model/topology/index.js";
import { isSameNote, type AttachedBinary } from "../../run/index.js";
import { AttachedProcess } from "./attachedProcess.js";
import type { ProcessOfBinary } from "./statusOf.js";

/** So long after another binary came to its address it is looked whether it is back. */
const AGAIN_MS = 2_000;

/** What is attached to one binary, among the live connections to all its processes. */
export class AttachedProcesses {
  /** By their numbers among all processes, which come after those of any that is started. */
  private readonly processes = new Map<number, AttachedProcess>();
  /** Those at whose address another binary came, and when it is looked whether they are back. */
  private readonly again = new Map<number, NodeJS.Timeout>();
  private last = MOST_REPLICAS;
  private watched = true;

  /** @param changed one of them answers, or does so no more */
  constructor(
    private readonly live: LiveReplicas,
    private readonly patience: number,
    private readonly changed: () => void,
  ) {}

  get size(): number {
    return this.processes.size;
  }

  /** How many of them answer. */
  get here(): number {
    return [...this.processes.values()].filter(({ isHere }) => isHere).length;
  }

  get notes(): AttachedBinary[] {
    return [...this.processes.values()].map(({ entry }) => entry);
  }

  get all(): ProcessOfBinary[] {
    return [...this.processes.values()].map(({ name, status }) => ({ name, status, attached: true }));
  }

  /** Whether the process of that number is one of them. */
  has(number: number): boolean {
    return this.processes.has(number);
  }

  /** These from now on, and no others; what is attached already stays connected. */
  set(entries: readonly AttachedBinary[]): void {
    const known = this.notes;
    for (const [number, { entry }] of this.processes)
      if (!entries.some((one) => isSameNote(one, entry))) this.detach(number);
    for (const entry of entries)
      if (!known.some((one) => isSameNote(one, entry))) this.connect(++this.last, entry);
  }

  watch(close: boolean): void {
    this.watched = close;
  }

  private connect(number: number, entry: AttachedBinary): void {
    const process = new AttachedProcess(entry, this.patience, {
      status: this.changed,
      ready: () => {
        this.live.put(number, process.live, process.name, true);
        process.live.watch(this.watched);
      },
      another: () => {
        this.disconnect(number);
        this.again.set(
          number,
          setTimeout(() => this.connect(number, entry), AGAIN_MS),
        );
      },
    });
    this.processes.set(number, process);
  }

  private detach(number: number): void {
    this.disconnect(number);
    this.processes.delete(number);
  }

  private disconnect(number: number): void {
    clearTimeout(this.again.get(number));
    this.again.delete(number);
    this.live.take(number);
    this.processes.get(number)?.live.close();
  }
}
