import { BUILD_PRESETS } from "../../contract/index.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { buildWithProgress } from "../project/buildWithProgress.js";
import { summary } from "../terminal/problemLines.js";
import { projectPlace } from "../project/projectArgument.js";
import { requireTrust, TRUST_OPTION } from "../project/requireTrust.js";

/** `penstock build`: generates, configures and compiles; compiler errors come back on their nodes. */
export const command: Command = {
  usage: "[PROJECT] [--binary NAME] [--preset release|fastest|dev|asan|tsan] [--trust]",
  doc: "Generates the C++ project, configures it with CMake and builds it. Ctrl-C cancels cleanly.",
  positionals: { min: 0, max: 1 },
  options: {
    ...TRUST_OPTION,
    binary: { type: "string", value: "NAME", doc: "build this binary only" },
    preset: { type: "string", oneOf: BUILD_PRESETS, doc: "which kind of build; release when left out" },
  },
  examples: ["penstock build ads", "penstock build ads --preset asan --json"],
  async run(invocation) {
    const { positionals, value, output, signal } = invocation;
    const place = projectPlace(positionals[0]);
    await requireTrust(place.dir, invocation);
    const built = await buildWithProgress({
      projectDir: place.dir,
      preset: value("preset") ?? "release",
      binary: value("binary"),
      output,
      signal,
    });
    output.document({ ok: built.exit === EXIT.done, problems: built.problems, binaries: built.binaries });
    output.problems(built.problems);
    if (built.exit === EXIT.done) {
      for (const { name, path } of built.binaries) output.result(`${name}  ${path}`);
    } else if (built.exit === EXIT.interrupted) {
      output.note("Cancelled.");
    } else {
      output.note(`Not built: ${summary(built.problems)}.`);
    }
    return built.exit;
  },
};
