import type { BinaryState, BinaryStatus, ProcessStatus } from "../../contract/index.js";

/** What most needs to be looked at first; where some run, those that failed are told in words. */
const FIRST: readonly BinaryState[] = [
  "crashed",
  "restarting",
  "unresponsive",
  "starting",
  "stopping",
  "running",
  "lost",
  "failed",
  "stopped",
];

/** A process of a binary, and how it is. */
export interface ProcessOfBinary {
  readonly name: string;
  readonly status: BinaryStatus;
  /** Something else started it. */
  readonly attached?: true;
}

/** The state of a binary of one or more processes. */
export function statusOf(processes: readonly ProcessOfBinary[]): BinaryStatus {
  const statuses = processes.map(({ status }) => status);
  const [first, ...others] = statuses;
  if (first === undefined) throw new Error("a binary has a process");
  if (others.length === 0 && !processes[0]?.attached) return first;
  const state = FIRST.find((one) => statuses.some((status) => status.state === one)) ?? "stopped";
  const running = statuses.find((status) => status.state === "running") ?? first;
  return {
    ...running,
    state,
    detail: detailOf(state, statuses),
    restarts: statuses.reduce((sum, { restarts }) => sum + restarts, 0),
    processes: processes.map(({ name, status, attached }): ProcessStatus => {
      const { binary: _, topologyHash: __, processes: ___, ...own } = status;
      return { name, ...own, ...(attached ? { attached } : {}) };
    }),
  };
}

/** `1 of 3 failed: 3 crashes in 30 s`; nothing where all are alike. */
function detailOf(state: BinaryState, statuses: readonly BinaryStatus[]): string {
  const told = statuses.some((status) => status.state === "failed") ? "failed" : state;
  const those = statuses.filter((status) => status.state === told);
  const detail = those.find((status) => status.detail !== "")?.detail ?? "";
  if (those.length === statuses.length) return detail;
  const what = detail === "" || detail.startsWith(told) ? detail || told : `${told}: ${detail}`;
  return `${those.length} of ${statuses.length} ${what}`;
}
