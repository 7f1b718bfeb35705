import path from "node:path";
import { nameFault } from "../../model/validate/index.js";
import { certifiedHosts, httpOf, type Topology } from "../../model/topology/index.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure } from "../verb/failure.js";
import { makeKeys, type BinaryKeys, type Keys } from "../keys/makeKeys.js";
import { dayOf } from "../keys/times.js";
import { readDrawnProject, requireDrawnBinary } from "../project/drawing.js";
import { projectPlace } from "../project/projectArgument.js";
import type { Output } from "../terminal/output.js";

/** Names become names of files and parts of certificates: none but good ones. */
function requireGoodNames({ name: project, binaries }: Topology): void {
  const faults = [nameFault("project", project), ...binaries.map(({ name }) => nameFault("binary", name))];
  const fault = faults.find((one) => one !== undefined);
  if (fault !== undefined)
    throw new Failure(
      EXIT.failed,
      fault.code,
      fault.message,
      `Use another name, for example ${fault.suggestion}.`,
    );
}

const stateLine = ({ name, until, state, why }: BinaryKeys): string =>
  `${state} ${name}, valid until ${dayOf(until)}${why === undefined ? "" : `: ${why}`}`;

function show({ ca, binaries, left, problems }: Keys, folder: string, output: Output): void {
  output.document({ ok: true, problems, folder, ca, binaries, left });
  output.problems(problems);
  output.result(`${ca.made ? "made" : "kept"} the certificate authority, valid until ${dayOf(ca.until)}`);
  for (const binary of binaries) output.result(stateLine(binary));
  if (left.length > 0) output.note(`Of no binary that is drawn, and left: ${left.join(", ")}.`);
  const states = new Set(binaries.map(({ state }) => state));
  if (states.has("made") || states.has("renewed"))
    output.note(`The host of a binary needs ca.crt, BINARY.crt and BINARY.key of ${folder}; never ca.key.`);
  if (states.has("renewed"))
    output.note("What runs has the old ones until its host has the new ones and it is started again.");
}

/** `penstock keys`: what binaries of several hosts know each other by. */
export const command: Command = {
  usage: "[PROJECT] [--binary NAME] [--renew]",
  doc: "Makes the certificate authority of a project and a certificate of each binary, with which binaries on\nseveral hosts call each other, in keys/ of the project. What is there and good is kept; a certificate\nthat ends within 30 days, or is of another name, key or authority, is renewed.",
  positionals: { min: 0, max: 1 },
  options: {
    binary: { type: "string", value: "NAME", doc: "of this one only" },
    renew: { type: "boolean", doc: "new keys and certificates also for what is good, by the same authority" },
  },
  examples: ["penstock keys ads", "penstock keys ads --renew --binary models-server"],
  async run({ positionals, flag, value, output, signal }) {
    const { dir } = projectPlace(positionals[0]);
    const topology = await readDrawnProject(dir);
    const only = value("binary");
    if (only !== undefined) requireDrawnBinary(topology, only);
    requireGoodNames(topology);
    try {
      const keys = await makeKeys({
        dir,
        project: topology.name,
        drawn: topology.binaries.map(({ name }) => name),
        hosts: new Map(topology.binaries.map((binary) => [binary.name, certifiedHosts(binary)])),
        others: topology.binaries.flatMap((binary) => {
          const { tls } = httpOf(binary) ?? {};
          return typeof tls === "object" ? [tls.cert, tls.key] : [];
        }),
        only,
        renew: flag("renew"),
        now: new Date(),
        signal,
      });
      show(keys, path.join(dir, "keys"), output);
      return EXIT.done;
    } catch (error) {
      if (!signal.aborted) throw error;
      output.document({ ok: false, problems: [] });
      output.note("Cancelled; what was made is kept.");
      return EXIT.interrupted;
    }
  },
};
