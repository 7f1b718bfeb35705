import { readFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { PATIENCE_MS } from "../../live/index.js";
import {
  attachBinary,
  AttachRefused,
  nameOfRunning,
  readControlAddress,
  readControlToken,
} from "../../run/index.js";
import type { Command } from "../verb/command.js";
import { EXIT, exitOfProblems } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";
import { patiently } from "../verb/patience.js";
import { readDrawnProject } from "../project/drawing.js";
import { projectPlace } from "../project/projectArgument.js";

const VARIABLE = "PENSTOCK_CONTROL_TOKEN";

/** The token out of a file or the environment: whoever lists processes reads their arguments. */
function tokenGiven(file: string | undefined): string {
  if (file !== undefined) {
    try {
      return readControlToken(readFileSync(file, "utf8"));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" && code !== "EISDIR") throw error;
      throw usageFailure(
        `--token-file: there is no file ${file}`,
        "It is a file with the token alone in it.",
      );
    }
  }
  const token = process.env[VARIABLE];
  if (token !== undefined && token !== "") return readControlToken(token);
  throw usageFailure(
    "the control token of the binary is missing",
    `Name a file that holds it with --token-file FILE, or set ${VARIABLE} as for the binary.`,
  );
}

const failureOf = ({ problem }: AttachRefused): Failure =>
  new Failure(
    problem.code === "PS890" ? EXIT.usage : exitOfProblems([problem]),
    problem.code,
    problem.message,
    problem.help,
  );

/** `penstock attach`: a process that something else started, by its control address. */
export const command: Command = {
  usage: "ADDRESS [PROJECT] [--token-file FILE]",
  doc: `Makes a process known that something else started (by hand, systemd, a container, another host behind
\`ssh -L\`), by its control address on this host. From then on monitor, set, call, load, tune, preset and the
designer have it as one more process of its binary, until \`penstock detach\`; nobody here ever ends it. Its
token is taken from the file, else from ${VARIABLE}.`,
  positionals: { min: 1, max: 2 },
  options: {
    "token-file": { type: "string", value: "FILE", doc: `with the control token (else ${VARIABLE})` },
  },
  examples: [
    "penstock attach 127.0.0.1:9901 ads --token-file ~/ads.token",
    "ssh -N -L 9901:127.0.0.1:9901 HOST & penstock attach 127.0.0.1:9901 ads",
  ],
  async run({ positionals: [address = "", project], value, output }) {
    try {
      const control = readControlAddress(address);
      const { dir } = projectPlace(project);
      const token = tokenGiven(value("token-file"));
      const { entry, schema, warnings } = await attachBinary({
        projectDir: await realpath(dir),
        topology: await readDrawnProject(dir),
        control,
        token,
        withinMs: patiently(PATIENCE_MS),
      });
      const name = nameOfRunning(entry);
      const { binary, pid } = schema;
      output.document({ ok: true, problems: warnings, name, binary, pid, control });
      output.problems(warnings);
      output.result(`attached ${name} (process ${pid} where it runs)`);
      return EXIT.done;
    } catch (error) {
      throw error instanceof AttachRefused ? failureOf(error) : error;
    }
  },
};
