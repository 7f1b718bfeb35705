import type { Problem } from "../diagnostics/index.js";
import type { LogLine } from "./api.js";
import type { BenchStatus } from "./bench.js";
import type { LoadSecond, LoadStatus } from "./load.js";
import type { LiveSample, LiveSchema } from "./live.js";

/**
 * `WS /api/socket` (subprotocols `penstock` and `token.<token>`; only `penstock` is answered).
 * The browser opens one, names the project it shows, and is told everything about it: states
 * at once, then changes. Samples are latest-wins: a slow browser skips some and is told so.
 */
export type ClientMessage =
  | { type: "open"; project: string }
  | { type: "close" }
  /** Which node references are in view; "all" at the start. Slower samples when hidden. */
  | { type: "view"; nodes: string[] | "all"; hidden?: boolean };

export type BinaryState =
  "stopped" | "starting" | "running" | "unresponsive" | "stopping" | "restarting" | "crashed" | "failed";

export interface BinaryStatus {
  binary: string;
  state: BinaryState;
  /** One line for people: "crashed (SIGKILL)", "failed: 3 crashes in 30 s". */
  detail: string;
  pid: number | null;
  control: string | null;
  /** Where its `http` sources take events, `127.0.0.1:41234`; null while it takes none. */
  http: string | null;
  startedAtMs: number | null;
  restarts: number;
  /** Topology hash of the running process; compared with the drawn one. */
  topologyHash: string | null;
}

export type BuildPhase =
  "idle" | "generating" | "configuring" | "compiling" | "succeeded" | "failed" | "cancelled";
export interface BuildStatus {
  phase: BuildPhase;
  /** Ninja's own count: steps done of total; 0 of 0 while not known. */
  done: number;
  total: number;
  /** What is being compiled, relative to the project. */
  current: string;
  startedAtMs: number | null;
  milliseconds: number;
  problems: Problem[];
}

export type ServerMessage =
  | { type: "opened"; project: string; revision: string; topologyHash: string }
  | { type: "saved"; project: string; revision: string; topologyHash: string }
  | { type: "build"; project: string; status: BuildStatus }
  | { type: "bench"; project: string; status: BenchStatus }
  | { type: "load"; project: string; status: LoadStatus }
  | { type: "load-second"; project: string; second: LoadSecond; heldPerSecond: number | null }
  | { type: "build-output"; project: string; lines: string[] }
  | { type: "binaries"; project: string; binaries: BinaryStatus[] }
  | { type: "logs"; project: string; lines: LogLine[]; dropped: number }
  | { type: "live-schema"; project: string; schema: LiveSchema }
  /** After the schema, to a tab that has just opened the project: the past of the charts, oldest first. */
  | {
      type: "live-history";
      project: string;
      binary: string;
      samples: { ageMs: number; sample: LiveSample }[];
    }
  | { type: "live-sample"; project: string; binary: string; sample: LiveSample; skipped: number }
  | { type: "live-lost"; project: string; binary: string; lastMs: number }
  | { type: "error"; message: string };
