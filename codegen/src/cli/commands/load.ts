import path from "node:path";
import { connectLive, lostWithinMs } from "../../live/index.js";
import { connectRunning } from "../binaries/askBinary.js";
import {
  FlowDriver,
  HttpDriver,
  keepInProject,
  keepReport,
  type LoadDriver,
  loadProblems,
  LoadRefused,
  runLoad,
} from "../../load/index.js";
import { LoadNotes, nameOfRunning } from "../../run/index.js";
import { isClean } from "../../model/diagnostics/index.js";
import {
  failureTexts,
  loadableFlows,
  type LoadReport,
  type LoadTarget,
  outcomeText,
  targetText,
  wholeText,
} from "../../contract/index.js";
import { connected } from "../binaries/connected.js";
import type { Command, Invocation } from "../verb/command.js";
import { EXIT, type ExitCode } from "../verb/exitCode.js";
import { asFailure, Failure, usageFailure } from "../verb/failure.js";
import { patienceOf } from "../verb/patience.js";
import { loadProgress } from "../tables/loadProgress.js";
import { readLoadSettings, SETTING_OPTIONS } from "../binaries/loadSettings.js";
import { chooseFlow, isAddress, readBinary, readRequests, REQUEST_OPTIONS } from "../binaries/loadTarget.js";

interface Loaded {
  target: LoadTarget;
  driver: LoadDriver;
  /** Keeps its report when `--out` does not say where. */
  keep: (report: LoadReport) => ReturnType<typeof keepReport>;
  close(): void;
}

async function openTarget({ positionals, value, all }: Invocation): Promise<Loaded> {
  const [asked = ""] = positionals;
  const patience = patienceOf(process.env);
  if (isAddress(asked)) {
    for (const option of ["flow", "project"])
      if (value(option) !== undefined)
        throw usageFailure(`an address has no --${option}`, "It is for a binary.");
    const requests = readRequests(asked, { value, all });
    const target: LoadTarget = { kind: "url", method: requests.method, url: requests.url.href };
    return {
      target,
      driver: new HttpDriver({ ...requests, patience }),
      keep: (report) => keepReport(path.resolve("load-report"), report),
      close: () => undefined,
    };
  }
  for (const option of Object.keys(REQUEST_OPTIONS))
    if (value(option) !== undefined || all(option).length > 0)
      throw usageFailure(
        `a flow has no --${option}`,
        "It is for an address such as http://127.0.0.1:8080/mo.",
      );
  const running = await readBinary(asked, value("project"));
  const live = connectRunning(running, (address) => connectLive(address, undefined, lostWithinMs(patience)));
  try {
    const schema = await connected(live, running.binary);
    const flow = chooseFlow(value("flow"), loadableFlows(schema));
    const names = running.processes.map(({ name }) => name);
    const notes = new LoadNotes(running.project, (entry) => names.includes(nameOfRunning(entry)));
    return {
      target: { kind: "flow", binary: running.binary, flow },
      driver: new FlowDriver(live, flow, patience, notes),
      keep: (report) => keepInProject(running.project, report),
      close: () => live.close(),
    };
  } catch (error) {
    live.close();
    throw error;
  }
}

const EXIT_OF_REFUSAL = { environment: EXIT.environment, usage: EXIT.usage, refused: EXIT.failed } as const;
const EXIT_OF_OUTCOME: Record<LoadReport["outcome"], ExitCode> = {
  broke: EXIT.done,
  ended: EXIT.done,
  interrupted: EXIT.interrupted,
  failed: EXIT.failed,
};

/** `penstock load`: more and more events a second, until the target no longer keeps up. */
export const command: Command = {
  usage:
    "BINARY|PROJECT|URL [--flow NAME] [--start N] [--step N] [--period S] [--most N] [--for S] [--out DIR]",
  doc: "Loads a flow of a running binary, or an address, with events at a rate that grows step by step, whether or\nnot earlier ones are done (an open loop), and records throughput and latency of every second. Ends at the\nbreaking point, from which the target does not recover, and says the last rate that was held. Writes\nload.json and load.svg. Ctrl-C ends it with what was measured; a flow gets its rate back.",
  positionals: { min: 1, max: 1 },
  options: {
    flow: { type: "string", value: "NAME", doc: "which flow, when the sources of several have a rate" },
    project: {
      type: "string",
      value: "DIR",
      doc: "whose binary, when several projects run one of this name",
    },
    ...SETTING_OPTIONS,
    ...REQUEST_OPTIONS,
    out: {
      type: "string",
      value: "DIR",
      doc: "for load.json and load.svg (build/load of the project; load-report)",
    },
  },
  examples: [
    "penstock load ads-server",
    "penstock load ads-server --start 800 --step 10 --period 10 --json",
    "penstock load http://127.0.0.1:8080/mo --body event.json --start 200",
    "penstock load ads --start 1000 --step 0 --for 60",
    "penstock load http://127.0.0.1:8080/mo --start 20 --step 0 --for 10 --drain 60",
  ],
  async run(invocation) {
    const { value, output, signal } = invocation;
    const settings = readLoadSettings(value);
    const loaded = await openTarget(invocation);
    const { target, driver } = loaded;
    const out = value("out");
    const progress = loadProgress(output);
    try {
      output.note(`${targetText(target)}: Ctrl-C ends it`);
      const report = await runLoad({
        target,
        settings,
        driver,
        signal,
        onReport: (one) => progress.show(one),
      });
      progress.end();
      const keep = out === undefined ? loaded.keep : (one: LoadReport) => keepReport(path.resolve(out), one);
      const problems = [...loadProblems(report), ...driver.left()];
      let exit = EXIT_OF_OUTCOME[report.outcome];
      if (exit === EXIT.done && !isClean(problems)) exit = EXIT.failed;
      let files = null;
      try {
        if (report.seconds.length > 0) files = await keep(report);
      } catch (error) {
        // The figures are worth more than the place where they were to be kept.
        const failure = asFailure(error);
        problems.push(failure.toProblem());
        exit = failure.exit;
      }
      output.document({ ok: isClean(problems) && exit === EXIT.done, problems, ...report, files });
      output.problems(problems);
      if (report.outcome === "interrupted") output.note("Interrupted.");
      output.result(outcomeText(report));
      if (report.whole !== null && report.seconds.length > 0)
        output.result(wholeText(report.whole, report.target));
      for (const line of failureTexts(report)) output.result(line);
      if (files !== null) output.note(`${files.json}\n${files.svg}`);
      return exit;
    } catch (error) {
      if (!(error instanceof LoadRefused)) throw error;
      throw new Failure(EXIT_OF_REFUSAL[error.kind], error.code, error.message, error.help);
    } finally {
      progress.end();
      loaded.close();
    }
  },
};
