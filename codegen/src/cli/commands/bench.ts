import { realpathSync } from "node:fs";
import { readSmall } from "../../disk/index.js";
import { isClean, suggest, type Problem } from "../../model/diagnostics/index.js";
import { LARGEST_DRAWING, parseTopology } from "../../model/topology/index.js";
import { benchTable } from "../tables/benchTable.js";
import type { Command } from "../verb/command.js";
import { EXIT, EXIT_OF, exitOfProblems, type ExitCode } from "../verb/exitCode.js";
import { usageFailure } from "../verb/failure.js";
import { buildProgress } from "../terminal/progressBar.js";
import { patienceOf } from "../verb/patience.js";
import { projectPlace } from "../project/projectArgument.js";
import { requireTrust, TRUST_OPTION } from "../project/requireTrust.js";
import { summary } from "../terminal/problemLines.js";
import { runtimeRoot } from "../../installation/index.js";

/** A name that is not drawn is a slip of the keyboard, answered before anything is built. */
function requireService(topologyFile: string, service: string): void {
  const { topology } = parseTopology(readSmall(topologyFile, LARGEST_DRAWING) ?? "");
  const names = topology?.services.map(({ name }) => name);
  if (names === undefined || names.includes(service)) return;
  const near = suggest(service, names);
  throw usageFailure(
    `there is no service ${service}`,
    near === undefined ? `The services are ${names.join(", ")}.` : `Did you mean ${near}?`,
  );
}

/** `penstock bench`: what a call of each service costs, as its caller sees it. */
export const command: Command = {
  usage: "[PROJECT] [--service NAME] [--trust]",
  doc: "Generates, builds the benchmarks in bench/ with the preset release and runs each five times.\nA call goes its whole way: stub, mailbox, the handler on its own thread, and back. Ctrl-C cancels.",
  positionals: { min: 0, max: 1 },
  options: {
    ...TRUST_OPTION,
    service: { type: "string", value: "NAME", doc: "measure this service only" },
  },
  examples: ["penstock bench ads", "penstock bench ads --service GetAd --json"],
  async run(invocation) {
    const { positionals, value, output, signal } = invocation;
    const place = projectPlace(positionals[0]);
    const service = value("service");
    if (service !== undefined) requireService(place.topologyFile, service);
    const projectDir = realpathSync(place.dir);
    await requireTrust(projectDir, invocation);
    const { generateDrawn } = await import("../../pipeline.js");
    const { benchProject } = await import("../../bench/index.js");
    const finish = (exit: ExitCode, problems: Problem[], results: object[]): ExitCode => {
      output.document({ ok: isClean(problems) && exit === EXIT.done, problems, results });
      output.problems(problems);
      if (exit === EXIT.interrupted) output.note("Cancelled.");
      else if (exit !== EXIT.done && results.length === 0) output.note(`Not measured: ${summary(problems)}.`);
      return exit;
    };
    const generated = await generateDrawn(projectDir);
    if (!generated.ok || !isClean(generated.problems))
      return finish(exitOfProblems(generated.problems), generated.problems, []);
    const progress = buildProgress(output);
    const { outcome, problems, measured, figures } = await benchProject({
      projectDir,
      runtimeRoot,
      signal,
      patience: patienceOf(process.env),
      ...(service === undefined ? {} : { service }),
      onStatus: (status) => progress.show(status),
    }).finally(() => progress.end());
    const results = measured
      ? figures.results.filter((one) => service === undefined || one.service === service)
      : [];
    if (results.length > 0) {
      for (const line of benchTable(results, figures.previous, output.paint)) output.result(line);
    }
    return finish(EXIT_OF[outcome], [...generated.problems, ...problems], results);
  },
};
