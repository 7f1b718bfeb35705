import { goodBinary } from "../../build/index.js";
import type { BuildPreset } from "../../contract/index.js";
import type { Problem } from "../../model/diagnostics/index.js";
import type { Topology } from "../../model/topology/index.js";
import type { SandboxOptions } from "../../process/index.js";
import { LogBook, processName, READY_WITHIN_MS, STOP_GRACE_MS, Supervisor } from "../../run/index.js";
import type { Output } from "../terminal/output.js";
import { patiently } from "../verb/patience.js";
import { startWithPreset } from "./startingPreset.js";

export interface RunRequest {
  projectDir: string;
  /** Which kind of build runs. */
  build: BuildPreset;
  relaxPins: boolean;
  detached: boolean;
  /** Of a project that came from elsewhere. */
  fence: SandboxOptions | undefined;
  output: Output;
  /** Brought into force whenever a binary has started, by its name and the drawing that has it. */
  preset: { name: string; topology: Topology } | undefined;
}

/** What a supervised binary came to. */
interface RunEnd {
  problem: Problem | null;
}

/** A process of a binary. */
export interface Supervised {
  binary: string;
  supervisor: Supervisor;
  /** False: it has ended before. */
  ready: Promise<boolean>;
  /** Once it was started. */
  end(): Promise<RunEnd>;
}

/** One supervised process, to be started, of a binary that tells the person what happens to it. */
export function supervise(binary: string, replica: number, request: RunRequest): Supervised {
  const { projectDir, build, relaxPins, detached, fence, output, preset } = request;
  const good = goodBinary(projectDir, build, binary);
  const name = processName(binary, replica);
  const logs = new LogBook(({ stream, text }) =>
    output.note(`${name}${stream === "penstock" ? "" : ` ${stream}`}: ${text}`),
  );
  const supervisor = new Supervisor({
    projectDir,
    binary,
    replica,
    executable: good.executable,
    config: good.config,
    relaxPins,
    detached,
    ...(fence === undefined ? {} : { sandbox: fence }),
    logs,
    stopGraceMs: patiently(STOP_GRACE_MS),
    readyWithinMs: patiently(READY_WITHIN_MS),
  });
  let problem: Problem | null = null;
  /** At once: what the others do is none of it. */
  const fail = (reason: Problem): void => {
    problem = reason;
    output.problems([reason]);
    output.event({ event: "failed", ok: false, binary: name, problems: [reason] });
  };
  supervisor.on("problem", (reason) => {
    if (reason === null) problem = null;
    else fail(reason);
  });
  supervisor.on("exit", ({ code, signal, restarts }) =>
    output.event({ event: "exit", binary: name, code, signal, restarts }),
  );
  const ready = new Promise<boolean>((resolve) => {
    supervisor.on("ready", ({ pid, control, http }) => {
      const ready = (): void => {
        const { log } = supervisor;
        output.event({ event: "ready", binary: name, pid, control, http, ...(log === null ? {} : { log }) });
        const door = http === null ? "" : `, HTTP ${http}`;
        const file = log === null ? "" : `, output in ${log}`;
        output.result(`${name} runs (process ${pid}, control ${control}${door}${file})`);
        resolve(true);
      };
      if (preset === undefined) return ready();
      const started = { binary, processes: [{ name, control, token: supervisor.token }] };
      void startWithPreset(preset.topology, started, preset.name).then((outcome) => {
        if ("changes" in outcome) {
          for (const change of outcome.changes) output.note(`${name}: ${preset.name}: ${change}`);
          return ready();
        }
        fail(outcome.problem);
        resolve(false);
        return void supervisor.stop();
      });
    });
    supervisor.on("status", ({ state }) => {
      if (state === "failed" || state === "stopped") resolve(false);
    });
  });
  return { binary, supervisor, ready, end: () => supervisor.ended().then(() => ({ problem })) };
}
