import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { replaceFile } from "../../disk/index.js";
import { suggest } from "../../model/diagnostics/index.js";
import { emptyLayout, newProject, printLayout, printTopology } from "../../model/topology/index.js";
import { shellWord } from "../../model/text/index.js";
import { legalName } from "../../model/validate/index.js";
import { TrustList } from "../../workspace/index.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { usageFailure } from "../verb/failure.js";
import { examplesDir } from "../../installation/index.js";

/** Folders of an example that a copy makes itself. */
const MADE_AGAIN = new Set(["build", "generated", "node_modules"]);

const exampleNames = (): string[] =>
  readdirSync(examplesDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(examplesDir, entry.name, "topology.json")))
    .map((entry) => entry.name)
    .sort();

function requireExample(name: string): void {
  const names = exampleNames();
  if (!names.includes(name)) {
    const near = suggest(name, names);
    throw usageFailure(
      `there is no example ${JSON.stringify(name)}`,
      `${near === undefined ? "" : `Did you mean ${near}? `}There are ${names.join(", ")}.`,
    );
  }
}

function copyExample(name: string, dir: string): void {
  const from = path.join(examplesDir, name);
  cpSync(from, dir, {
    recursive: true,
    filter: (source) => path.dirname(source) !== from || !MADE_AGAIN.has(path.basename(source)),
  });
}

async function writeEmpty(dir: string): Promise<void> {
  const topology = newProject(legalName("project", path.basename(dir)));
  await replaceFile(path.join(dir, "topology.json"), printTopology(topology));
  await replaceFile(path.join(dir, "layout.json"), printLayout(emptyLayout()));
}

/** `penstock init`: a new project in a folder that holds nothing yet. */
export const command: Command = {
  usage: "[DIR] [--example NAME | --empty]",
  doc: "Makes a project from an example (hello when left out) or an empty one; refuses a folder that is\nnot empty.",
  positionals: { min: 0, max: 1 },
  options: {
    example: { type: "string", value: "NAME", doc: "which example; an unknown name lists them" },
    empty: { type: "boolean", doc: "a drawing with nothing on it yet, its bundle and its binary" },
  },
  examples: ["penstock init first", "penstock init ads --example ads"],
  async run({ positionals, flag, value, output }) {
    if (flag("empty") && value("example") !== undefined) {
      throw usageFailure("--example and --empty exclude each other", "Leave one of them out.");
    }
    const dir = path.resolve(positionals[0] ?? ".");
    if (existsSync(dir) && readdirSync(dir).length > 0) {
      throw usageFailure(`${dir} is not empty`, "Name a folder that does not exist yet, or an empty one.");
    }
    const example = flag("empty") ? undefined : (value("example") ?? "hello");
    if (example !== undefined) requireExample(example);
    mkdirSync(dir, { recursive: true });
    if (example === undefined) await writeEmpty(dir);
    else copyExample(example, dir);
    const root = realpathSync(dir);
    await (await TrustList.ofProject(root)).add(root, true);
    output.document({ ok: true, problems: [], dir, example: example ?? null });
    output.result(dir);
    output.note(
      `Made ${example === undefined ? "an empty project" : `a copy of ${example}`}. Next: penstock run${positionals[0] === undefined ? "" : ` ${shellWord(positionals[0])}`}`,
    );
    return EXIT.done;
  },
};
