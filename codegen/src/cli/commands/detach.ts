import { forgetAttached, listAttached } from "../../run/index.js";
import { chosen, named } from "../binaries/runningBinaries.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure } from "../verb/failure.js";
import { projectPlace } from "../project/projectArgument.js";

/** `penstock detach`: what `attach` made known is forgotten, and goes on where it runs. */
export const command: Command = {
  usage: "[PROJECT] [--binary NAME]",
  doc: "Takes out what is attached to a project, and forgets its token. The processes go on. Nothing attached\nis no error.",
  positionals: { min: 0, max: 1 },
  options: {
    binary: { type: "string", value: "NAME", doc: "this one only: ads-server@9901, or all of ads-server" },
  },
  examples: ["penstock detach ads", "penstock detach ads --binary ads-server@9901"],
  async run({ positionals, value, output }) {
    const { dir } = projectPlace(positionals[0]);
    const attached = (await listAttached(dir)).map(named);
    const binary = value("binary");
    const leaving = chosen(attached, binary);
    if (leaving.length === 0 && attached.length > 0)
      throw new Failure(
        EXIT.environment,
        "PS993",
        `${binary} is not attached`,
        `What is attached: ${attached.map(({ name }) => name).join(", ")}.`,
      );
    await Promise.all(leaving.map(forgetAttached));
    output.document({ ok: true, problems: [], detached: leaving.map(({ name }) => name) });
    for (const { name } of leaving) output.result(`detached ${name}; it goes on`);
    if (leaving.length === 0) output.note("Nothing is attached to this project.");
    return EXIT.done;
  },
};
