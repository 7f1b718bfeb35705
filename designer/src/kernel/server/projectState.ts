import type {
  BenchStatus,
  BinaryState,
  BinaryStatus,
  BuildStatus,
  LoadStatus,
} from "@penstock/codegen/contract";
import { createStore } from "zustand/vanilla";

/** Lines of build output kept in the page. */
export const OUTPUT_LINES = 4000;

export const idleBuild: BuildStatus = {
  phase: "idle",
  done: 0,
  total: 0,
  current: "",
  startedAtMs: null,
  milliseconds: 0,
  problems: [],
};

const idleBench: BenchStatus = {
  ...idleBuild,
  phase: "idle",
  results: [],
  skipped: [],
  measuredAtMs: null,
  previous: [],
};

const idleLoad: LoadStatus = { phase: "idle", report: null, problems: [] };

/** What the server says about the open project; all of it comes anew after a reconnect. */
export interface ProjectState {
  project: string | null;
  trusted: boolean;
  /** Revision and hash of the topology on disk; the hash is what a running binary is compared with. */
  revision: string;
  topologyHash: string;
  build: BuildStatus;
  bench: BenchStatus;
  load: LoadStatus;
  output: readonly string[];
  binaries: readonly BinaryStatus[];
  /** When a binary was last heard of that was alive; 0: never. */
  aliveAtMs: number;
}

export const closedProject: ProjectState = {
  project: null,
  trusted: true,
  revision: "",
  topologyHash: "",
  build: idleBuild,
  bench: idleBench,
  load: idleLoad,
  output: [],
  binaries: [],
  aliveAtMs: 0,
};

export const projectStore = createStore<ProjectState>(() => closedProject);

export const isBuilding = ({ build }: Pick<ProjectState, "build">): boolean =>
  ["generating", "waiting", "configuring", "compiling"].includes(build.phase);

export const isMeasuring = ({ bench }: Pick<ProjectState, "bench">): boolean =>
  ["generating", "configuring", "compiling", "measuring"].includes(bench.phase);

export const isLoading = ({ load }: Pick<ProjectState, "load">): boolean =>
  load.phase === "starting" || load.phase === "loading";

const ALIVE: ReadonlySet<BinaryState> = new Set([
  "running",
  "starting",
  "unresponsive",
  "restarting",
  "stopping",
]);

/** A process of it lives. */
export const isAlive = ({ state, processes = [] }: BinaryStatus): boolean =>
  [state, ...processes.map((one) => one.state)].some((one) => ALIVE.has(one));

/** A process of it that was started here lives: what is attached is neither stopped nor started again. */
export const isOwnAlive = (status: BinaryStatus): boolean =>
  (status.processes ?? [status]).some((one) => ALIVE.has(one.state) && !("attached" in one));

/** How many processes of a binary are meant to run: those that were started but for what was stopped or has failed for good, and what is attached and answers. */
export const processesOf = ({ binaries }: Pick<ProjectState, "binaries">, binary: string): number => {
  const { processes = [] } = binaries.find((one) => one.binary === binary) ?? {};
  const meant = processes.filter(({ attached, state }) =>
    attached ? state !== "lost" : state !== "stopped" && state !== "failed",
  );
  return Math.max(meant.length, 1);
};

/** How many of its processes do not answer, and of how many. */
export function silentOf(
  { binaries }: Pick<ProjectState, "binaries">,
  binary: string,
): { processes: number; of: number } {
  const status = binaries.find((one) => one.binary === binary);
  const all = status?.processes ?? (status ? [status] : []);
  return {
    processes: all.filter(({ state }) => state === "unresponsive").length,
    of: Math.max(all.length, 1),
  };
}

/** A process of it serves. */
export const isRunning = ({ state, processes = [] }: BinaryStatus): boolean =>
  [state, ...processes.map((one) => one.state)].includes("running");

export const anyAlive = ({ binaries }: Pick<ProjectState, "binaries">): boolean => binaries.some(isAlive);
export const anyOwnAlive = ({ binaries }: Pick<ProjectState, "binaries">): boolean =>
  binaries.some(isOwnAlive);

/** `then` is called whenever another project is opened, or none any more. Returns how to stop. */
export const onProjectChange = (then: () => void): (() => void) =>
  projectStore.subscribe(({ project }, before) => {
    if (project !== before.project) then();
  });
