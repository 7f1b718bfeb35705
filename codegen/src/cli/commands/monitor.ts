import { isSameNote } from "../../run/index.js";
import type { Command, Invocation } from "../verb/command.js";
import { EXIT, type ExitCode } from "../verb/exitCode.js";
import { Failure } from "../verb/failure.js";
import { figuresTable } from "../tables/figuresTable.js";
import { LiveTable } from "../tables/liveTable.js";
import type { Figures } from "../figures/nodeFigures.js";
import type { Output } from "../terminal/output.js";
import { patiently } from "../verb/patience.js";
import { projectPlace } from "../project/projectArgument.js";
import {
  chosen,
  knownProcesses,
  noneRuns,
  refuseSilent,
  type RunningProcess,
  someRunningProcesses,
} from "../binaries/runningBinaries.js";
import { figuresOnce, watchFigures, type FiguresWatch } from "../figures/watchFigures.js";

const REDRAW_MS = 250;
const PRINT_MS = 1000;
/** Seconds without a process after which none is expected: one that crashed is back before that. */
const LOOKS_IN_VAIN = 3;

const sampleEvent = (figures: Figures) => ({ event: "sample", ...figures });

/** Figures are of a process: of several of a binary each has its own. */
const ofProcess = (figures: Figures, { name, attached }: RunningProcess): Figures => ({
  ...figures,
  binary: name,
  ...(attached ? { attached } : {}),
});

/** Whether it is no other process of its name; an attached one is followed by its connection. */
const isSame = (a: RunningProcess, b: RunningProcess): boolean =>
  a.attached ? b.attached && isSameNote(a, b) : !b.attached && a.pid === b.pid;

async function once(running: readonly RunningProcess[], output: Output): Promise<ExitCode> {
  const all = await Promise.all(running.map(async (one) => ({ one, figures: await figuresOnce(one) })));
  for (const { one, figures: said } of all) {
    const figures = said && ofProcess(said, one);
    if (figures === undefined) {
      refuseSilent([one]);
      throw new Failure(
        EXIT.environment,
        "PS994",
        `${one.name} does not answer`,
        "Look at its log; `penstock stop` ends it.",
      );
    }
    output.event(sampleEvent(figures));
    output.result(figuresTable(figures, output.paint, Infinity).join("\n"));
  }
  return EXIT.done;
}

/** Shows figures until Ctrl-C, or until nothing of the project runs any more; `only`: of one binary. */
async function follow(
  projectDir: string,
  only: string | undefined,
  running: readonly RunningProcess[],
  invocation: Invocation,
): Promise<ExitCode> {
  const { output, signal } = invocation;
  const latest = new Map<string, Figures | "lost">();
  const table = new LiveTable(process.stdout);
  const draw = (): void => {
    if (output.json || latest.size === 0) return;
    const width = process.stdout.isTTY ? process.stdout.columns : Infinity;
    table.draw(
      [...latest].flatMap(([binary, figures]) =>
        figures === "lost"
          ? [output.paint.yellow(`${binary}  no answer`)]
          : figuresTable(figures, output.paint, width),
      ),
    );
  };
  const watches = new Map<string, { entry: RunningProcess; watch: FiguresWatch }>();
  /** One that was started anew is another process, at another address. */
  const watchThese = (entries: readonly RunningProcess[]): void => {
    for (const entry of entries) {
      const { name } = entry;
      const before = watches.get(name);
      if (before && isSame(before.entry, entry)) continue;
      before?.watch.close();
      const watch = watchFigures(
        entry,
        (said) => {
          const figures = ofProcess(said, entry);
          latest.set(name, figures);
          output.event(sampleEvent(figures));
        },
        () => latest.set(name, "lost"),
      );
      watches.set(name, { entry, watch });
    }
    for (const [name, { entry, watch }] of watches) {
      if (!entry.attached || entries.some((one) => one.name === name)) continue;
      watch.close();
      watches.delete(name);
      latest.delete(name);
    }
  };
  watchThese(running);
  let looksInVain = 0;
  try {
    return await new Promise<ExitCode>((resolve, reject) => {
      const timers = [
        setInterval(draw, process.stdout.isTTY ? REDRAW_MS : PRINT_MS),
        setInterval(() => {
          knownProcesses(projectDir).then((known) => {
            const now = chosen(known, only);
            watchThese(now);
            looksInVain = now.length > 0 ? 0 : looksInVain + 1;
            if (looksInVain < patiently(LOOKS_IN_VAIN)) return;
            output.note(noneRuns(only, " any more"));
            end(EXIT.done);
          }, reject);
        }, PRINT_MS),
      ];
      const end = (code: ExitCode): void => {
        for (const timer of timers) clearInterval(timer);
        resolve(code);
      };
      if (signal.aborted) end(EXIT.interrupted);
      signal.addEventListener("abort", () => end(EXIT.interrupted), { once: true });
    });
  } finally {
    for (const { watch } of watches.values()) watch.close();
  }
}

/** `penstock monitor`: the figures of the canvas, in a terminal. */
export const command: Command = {
  usage: "[PROJECT] [--once] [--binary NAME]",
  doc: "Shows live figures of a project's running binaries: served and errors a second, p50 and p99 of the\nlast second, how long requests waited and ran, queue and busy threads of the pool that serves each node, and for how long a handler is stuck.",
  positionals: { min: 0, max: 1 },
  options: {
    once: { type: "boolean", doc: "print the figures of one second and end" },
    binary: { type: "string", value: "NAME", doc: "this binary only" },
  },
  examples: ["penstock monitor ads", "penstock monitor ads --once --json"],
  async run(invocation) {
    const { positionals, flag, value, output } = invocation;
    const place = projectPlace(positionals[0]);
    const only = value("binary");
    const running = await someRunningProcesses(place.dir, only);
    return flag("once") ? once(running, output) : follow(place.dir, only, running, invocation);
  },
};
