import type { BinaryStatus } from "../../contract/index.js";
import { connectLive, lostWithinMs, type LiveConnection } from "../../live/index.js";
import { nameOfRunning, type AttachedBinary } from "../../run/index.js";

interface AttachedEvents {
  status(): void;
  /** It has said, for the first time, that it is the binary that was attached. */
  ready(): void;
  /** Another binary answers at its address since: this connection is none of its binary any more. */
  another(): void;
}

/** A process that something else started: the live connection to it, and whether it answers. */
export class AttachedProcess {
  readonly name: string;
  readonly live: LiveConnection;
  /** It answers, as the binary that was attached. */
  isHere = false;
  private detail: string;

  constructor(
    readonly entry: AttachedBinary,
    patience: number,
    events: AttachedEvents,
  ) {
    this.name = nameOfRunning(entry);
    this.detail = `no answer at ${entry.control}`;
    const turn = (isHere: boolean, detail: string): void => {
      this.isHere = isHere;
      this.detail = detail;
      events.status();
    };
    this.live = connectLive(entry, undefined, lostWithinMs(patience));
    let isFirst = true;
    this.live.on("schema", ({ binary }) => {
      if (binary !== entry.binary) {
        turn(false, `${binary} answers at ${entry.control}`);
        // Until it is back there nothing is asked, and what is said is heard by nobody.
        if (!isFirst) events.another();
        return;
      }
      if (!this.isHere) turn(true, "");
      if (isFirst) events.ready();
      isFirst = false;
    });
    // Who started it sees its end; here that nobody listens any more is all there is to see.
    this.live.on("refused", () => this.live.lose());
    this.live.on("lost", () => turn(false, `no answer at ${entry.control}`));
    this.live.on("found", () => {
      if (this.live.schema?.binary === entry.binary) turn(true, "");
    });
  }

  /** Without the number of a process: that may be one of another host. */
  get status(): BinaryStatus {
    const schema = this.isHere ? this.live.schema : null;
    return {
      binary: this.entry.binary,
      state: this.isHere ? "running" : "lost",
      detail: this.detail,
      pid: null,
      control: this.entry.control,
      http: null,
      startedAtMs: schema?.startedAtMs ?? null,
      restarts: 0,
      topologyHash: schema?.topologyHash ?? null,
    };
  }
}
