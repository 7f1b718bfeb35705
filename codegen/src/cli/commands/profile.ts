import { createWriteStream, realpathSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Profile, PROFILE_SECONDS } from "../../contract/index.js";
import { problem, type Problem } from "../../model/diagnostics/index.js";
import { flameSvg } from "../../flame/index.js";
import { connectLive } from "../../live/index.js";
import { keepFlameGraph, NotRecorded, profileBinary } from "../../profile/index.js";
import { wholeNumber } from "../verb/arguments.js";
import { connectRunning } from "../binaries/askBinary.js";
import { refuseAttached, theRunningBinary } from "../binaries/runningBinaries.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { patienceOf } from "../verb/patience.js";
import { readDrawnProject } from "../project/drawing.js";
import { projectPlace } from "../project/projectArgument.js";
import { isOwnProject } from "../project/requireTrust.js";
import { profileTable } from "../tables/profileTable.js";

const { min, max, usual } = PROFILE_SECONDS;

const writeText = (file: string, text: Iterable<string>): Promise<void> =>
  pipeline(Readable.from(text), createWriteStream(file));

/** Without a sample there is nothing to draw, and nothing wrong either. */
const asleep = ({ binary, seconds }: Profile): Problem =>
  problem("PS898", "", `${binary} used no CPU time in ${seconds} s`);

/** `penstock profile`: where the CPU time of a running binary goes. */
export const command: Command = {
  usage: "[PROJECT] [--binary NAME] [--seconds N] [--svg FILE] [--folded FILE]",
  doc: "Records a running binary with perf, says how much CPU time each service, the runtime and the kernel take, and\ndraws a flame graph by service. The binary needs no rebuild and goes on meanwhile. Ctrl-C cancels.",
  positionals: { min: 0, max: 1 },
  options: {
    binary: {
      type: "string",
      value: "NAME",
      doc: "which binary, or which of its processes, when several run",
    },
    seconds: { type: "string", value: "N", doc: `how long to record (${usual}; ${min} to ${max})` },
    svg: {
      type: "string",
      value: "FILE",
      doc: "where the flame graph goes (build/profile/BINARY.svg of the project)",
    },
    folded: {
      type: "string",
      value: "FILE",
      doc: "writes the stacks for other tools as well: `pool;outer;inner 12`",
    },
  },
  examples: ["penstock profile ads", "penstock profile ads --seconds 30 --svg ads.svg --folded ads.folded"],
  async run({ positionals, value, output, signal }) {
    const seconds = wholeNumber(value("seconds") ?? String(usual), "--seconds", min, max);
    const place = projectPlace(positionals[0]);
    const projectDir = realpathSync(place.dir);
    const topology = await readDrawnProject(place.dir);
    const running = await theRunningBinary(projectDir, value("binary"));
    const processes = refuseAttached(running.processes);
    const fenced = !(await isOwnProject(projectDir));
    // It says its names while it is recorded. One that hangs says nothing, and is recorded all the same.
    const live = connectRunning(running, (address) => connectLive(address));
    live.watch(false);
    try {
      const { profile, tree } = await profileBinary({
        ...{ projectDir, topology, binary: running.binary, processes, seconds, fenced, signal },
        running: () => live.schema,
        patience: patienceOf(process.env),
        onStep: (step) =>
          output.note(step === "recording" ? `recording for ${seconds} s` : "reading the stacks"),
      });
      const svg = value("svg");
      const drawn = flameSvg(profile);
      const files: { svg: string; folded?: string } = {
        svg: svg === undefined ? await keepFlameGraph(projectDir, running.binary, drawn) : path.resolve(svg),
      };
      if (svg !== undefined) await writeText(files.svg, [drawn]);
      const folded = value("folded");
      if (folded !== undefined) await writeText((files.folded = path.resolve(folded)), tree.folded());
      const problems = profile.samples === 0 ? [asleep(profile)] : [];
      const { binary, samples, owners } = profile;
      const shares = owners.filter((owner) => owner.samples > 0);
      output.document({
        ok: true,
        problems,
        binary,
        processes,
        seconds: profile.seconds,
        samples,
        shares,
        files,
      });
      output.problems(problems);
      for (const line of profileTable(profile)) output.result(line);
      output.note(Object.values(files).join("\n"));
      return EXIT.done;
    } catch (error) {
      if (error instanceof NotRecorded) {
        output.document({ ok: false, problems: [error.problem] });
        output.problems([error.problem]);
        return EXIT.environment;
      }
      if (!signal.aborted) throw error;
      output.document({ ok: false, problems: [] });
      output.note("Cancelled.");
      return EXIT.interrupted;
    } finally {
      live.close();
    }
  },
};
