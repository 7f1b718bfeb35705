import type { LiveSample, LiveSchema, ServerMessage } from "../../contract/index.js";
import type { Workspace } from "../../workspace/index.js";
import type { Toolchain } from "./toolchain.js";

/** What the runners of all projects share. */
export interface RunnersContext {
  workspace: Workspace;
  toolchain: Toolchain;
  /** Where the runtime is installed: `<runtimeRoot>/<preset>/prefix`. */
  runtimeRoot: string;
  /** How many times as long as usual builds and binaries are waited for. */
  patience: number;
  publish(message: Exclude<ServerMessage, { type: "error" }>): void;
  publishSample(project: string, schema: LiveSchema, sample: LiveSample): void;
  isWatched(project: string): boolean;
  log(line: string): void;
}
