import type { Problem } from "@penstock/codegen/diagnostics";
import type { BenchStatus, BinaryState, BinaryStatus, BuildStatus } from "@penstock/codegen/contract";
import { formatDuration } from "../../kernel/live/figures/format.js";
import { isOfStart } from "../../kernel/problems/stillHolds.js";
import { isOfRun, isRefused } from "../../kernel/run/sayRefused.js";
import { isAlive, isBuilding, isMeasuring } from "../../kernel/server/projectStore.js";

/** A finished build is news for this long; after that it matters only that nothing runs. */
const NEWS_MS = 15_000;

const ILL: ReadonlySet<BinaryState> = new Set(["crashed", "failed", "unresponsive", "restarting"]);

type Tone = "ok" | "warn" | "bad" | "idle" | "busy";

/** After the first minute seconds are no news, and the bar has no room for them. */
const uptime = (ms: number): string =>
  ms < 60_000 ? formatDuration(ms) : formatDuration(ms).replace(/ \d+ s$/, "");

/** False for a failed build all of whose errors are about what is no longer drawn; what runs badly is none of them. */
export function failureStands(build: BuildStatus, holds: (problem: Problem) => boolean): boolean {
  const errors = build.problems.filter(
    (one) => one.severity === "error" && (!isOfRun(one) || isOfStart(one)),
  );
  return build.phase !== "failed" || errors.length === 0 || errors.some(holds);
}

/** What is said of a binary that does not say its name itself. */
const withName = (binary: string, text: string): string =>
  text.startsWith(`${binary} `) ? text : `${binary} ${text}`;

/** What the pill in the top bar says, and how loud. */
export function stateWords(
  build: BuildStatus,
  bench: BenchStatus,
  binaries: readonly BinaryStatus[],
  aliveAtMs: number,
  now: number,
): { tone: Tone; text: string } {
  if (isBuilding({ build })) {
    const steps = build.total > 0 ? ` ${build.done}/${build.total}` : "";
    const doing = {
      generating: "generating",
      waiting: "waiting for the runtime library",
      configuring: "configuring",
      compiling: "building",
    }[build.phase as "compiling"];
    return { tone: "busy", text: `${doing}${steps}` };
  }
  if (isMeasuring({ bench }))
    return { tone: "busy", text: `measuring${bench.total > 0 ? ` ${bench.done}/${bench.total}` : ""}` };
  const alive = binaries.filter(isAlive);
  const ill = binaries.find(({ state, processes = [] }) =>
    [state, ...processes.map((one) => one.state)].some((one) => ILL.has(one)),
  );
  if (build.phase === "failed") {
    const runsOn = alive.some((one) => one.state === "running") ? " · last good binary runs on" : "";
    return { tone: "bad", text: `${isRefused(build.problems) ? "not built" : "build failed"}${runsOn}` };
  }
  if (ill)
    return {
      tone: ill.state === "restarting" ? "warn" : "bad",
      text: withName(ill.binary, ill.detail || ill.state),
    };
  const running = alive.filter((one) => one.state === "running");
  if (running.length === 1 && binaries.length === 1) {
    const [one] = running;
    const since = one?.startedAtMs ? ` · ${uptime(now - one.startedAtMs)}` : "";
    return { tone: "ok", text: `${one?.binary} running${since}` };
  }
  if (running.length > 0) return { tone: "ok", text: `${running.length} of ${binaries.length} running` };
  const moving = alive[0];
  if (moving) return { tone: "busy", text: `${moving.binary} ${moving.state}` };
  const lost = binaries.flatMap(({ processes = [] }) => processes).find(({ state }) => state === "lost");
  if (lost) return { tone: "warn", text: `${lost.name} does not answer` };
  const builtAt = (build.startedAtMs ?? 0) + build.milliseconds;
  // Since it began: a binary that ran meanwhile, or since, is what was seen last.
  const ranSince = aliveAtMs >= (build.startedAtMs ?? 0);
  if (build.phase === "succeeded" && !ranSince && now - builtAt < NEWS_MS)
    return { tone: "idle", text: `built in ${formatDuration(build.milliseconds)}` };
  return { tone: "idle", text: "not running" };
}
