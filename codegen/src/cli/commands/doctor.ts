import type { Problem } from "../../model/diagnostics/index.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { machineFacts, type ToolState, toolStates } from "../project/machine.js";
import { version } from "../../installation/index.js";

/** The commands that install what is missing: one line of apt, and set-up for what is built. */
function installCommands(missing: readonly ToolState[]): string[] {
  const packages = missing.map(({ install }) => install).filter((install) => !install.includes(" "));
  const built = missing.some(({ install }) => install.includes(" "));
  return [
    ...(packages.length === 0 ? [] : [`sudo apt-get install --no-install-recommends ${packages.join(" ")}`]),
    ...(built ? ["npm run setup"] : []),
  ];
}

const asProblem = (tool: ToolState): Problem => ({
  code: "PS992",
  severity: tool.needed ? "error" : "warning",
  message: `${tool.name} is missing: it ${tool.purpose}`,
  pointer: "",
  help: installCommands([tool]).join("; "),
});

/** `penstock doctor`: whether this machine can build and run projects, and what to do if not. */
export const command: Command = {
  usage: "",
  doc: "Says what this machine has and lacks, and the command that installs what is missing.",
  positionals: { min: 0, max: 0 },
  options: {},
  examples: ["penstock doctor", "penstock doctor --json"],
  async run({ output }) {
    const tools = await toolStates();
    const missing = tools.filter((tool) => tool.path === "");
    const ok = missing.every((tool) => !tool.needed);
    const machine = machineFacts();
    output.document({
      ok,
      problems: missing.map(asProblem),
      version: version(),
      machine,
      tools,
      install: installCommands(missing),
    });
    const { paint } = output;
    const width = Math.max(...tools.map(({ name }) => name.length));
    output.result(
      `Penstock ${version()}, Node ${machine.node}, ${machine.system}, ${machine.cpus} CPUs (${machine.model}), ${(machine.memoryBytes / 2 ** 30).toFixed(1)} GiB${machine.root ? ", running as root" : ""}`,
    );
    for (const tool of tools) {
      const mark = tool.path !== "" ? paint.green("✓") : tool.needed ? paint.red("✗") : paint.yellow("-");
      const state =
        tool.path === "" ? `missing: it ${tool.purpose}` : `${tool.version}  ${paint.dim(tool.path)}`;
      output.result(`${mark} ${tool.name.padEnd(width)}  ${state}`);
    }
    for (const line of installCommands(missing)) output.result(`\nWhat helps: ${line}`);
    return ok ? EXIT.done : EXIT.environment;
  },
};
