import { readFileSync } from "node:fs";
import path from "node:path";
import {
  addsNothing,
  IMPORT_ENDINGS,
  importFiles,
  isImported,
  NotReadable,
  type Import,
  type ImportReport,
  type Renamed,
} from "../../imports/index.js";
import { isClean, problem, type Problem } from "../../model/diagnostics/index.js";
import type { Topology } from "../../model/topology/index.js";
import type { Command } from "../verb/command.js";
import { EXIT, type ExitCode } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";
import { openDrawnProject, writeDrawnProject, type DrawnProject } from "../project/drawing.js";
import { projectPlace } from "../project/projectArgument.js";
import { mayAsk, saysYes } from "../terminal/ask.js";
import type { Output } from "../terminal/output.js";

const NOT_THERE = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG"]);

/** A file's text; undefined where there is none. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (NOT_THERE.has(code)) return undefined;
    throw error;
  }
}

/** Reads the description; what it imports is looked for in `folders`, then beside it. */
async function read(file: string, folders: readonly string[], topology: Topology): Promise<Import> {
  if (!isImported(file))
    throw usageFailure(
      `${file} is of no kind that can be imported`,
      `Name a file that ends with ${IMPORT_ENDINGS.join(" or ")}.`,
    );
  const text = textOf(file);
  if (text === undefined) throw usageFailure(`there is no file ${file}`, "Name a file that is there.");
  const places = [...folders, path.dirname(file)];
  const find = (imported: string): string | undefined => {
    for (const place of places) {
      const found = textOf(path.join(place, imported));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  try {
    return await importFiles(topology, [{ file, text, find }]);
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    const place = error.line === undefined ? error.file : `${error.file}:${error.line}`;
    throw new Failure(EXIT.failed, "PS980", `${place}: ${error.message}`, problem("PS980", "", "").help);
  }
}

const leftOutProblems = ({ leftOut }: ImportReport, may: boolean): Problem[] =>
  leftOut.map(({ name, reason, file, line }) =>
    problem("PS981", "", `${name}: ${reason}`, {
      ...{ file, line },
      ...(may ? { severity: "warning", help: "It is left out, as --leave-out asks for." } : {}),
    }),
  );

const line = (what: string, { from, to }: Renamed): string =>
  from === to ? `${what} ${to}` : `${what} ${to} (${from})`;

function showPlan(report: ImportReport, output: Output): void {
  for (const one of report.messages) output.result(line("+ message", one));
  for (const one of report.enums) output.result(line("+ enum", one));
  for (const one of report.services) output.result(line("+ service", one));
  for (const one of report.bundles) output.result(line("+ bundle", one));
  if (report.kept.length > 0)
    output.note(`Drawn already, and used: ${report.kept.map(({ to }) => to).join(", ")}.`);
  for (const { from, to } of report.renamed) output.note(`${from} is called ${to}.`);
  for (const note of report.notes) output.note(note);
}

async function draw(before: DrawnProject, { topology, report }: Import, output: Output): Promise<ExitCode> {
  if (!addsNothing(report)) await writeDrawnProject(before, topology);
  output.note(addsNothing(report) ? "Nothing to add: all of it is drawn already." : "Drawn.");
  return EXIT.done;
}

/** `penstock import`: what others have described comes into the drawing. */
export const command: Command = {
  usage: "FILE [PROJECT] [-I DIR]... [--yes] [--leave-out]",
  doc: `Adds the messages, enums and services that FILE describes to the drawing, and changes nothing that is there.
Shows what would change and asks; without a terminal it needs --yes. Something that has no counterpart in a
drawing is named with its file and line, and stops it unless --leave-out is given.`,
  positionals: { min: 1, max: 2 },
  options: {
    include: {
      type: "string",
      short: "I",
      many: true,
      value: "DIR",
      doc: "where files are that FILE imports",
    },
    yes: { type: "boolean", doc: "do not ask" },
    "leave-out": { type: "boolean", doc: "import what is left when what has no counterpart is left out" },
  },
  examples: ["penstock import ads.proto shop --yes", "penstock import api/v1/shop.proto shop -I api"],
  async run({ positionals, flag, all, output, signal }) {
    const [file = "", project] = positionals;
    const { dir } = projectPlace(project);
    const before = await openDrawnProject(dir);
    const added = await read(file, all("include"), before.topology);
    const { report } = added;
    const problems = [...leftOutProblems(report, flag("leave-out")), ...added.problems];
    const end = (exit: ExitCode): ExitCode => {
      output.document({ ok: exit === EXIT.done, problems, ...report });
      return exit;
    };
    showPlan(report, output);
    output.problems(problems);
    if (!isClean(problems)) {
      output.note("Nothing is changed.");
      return end(EXIT.failed);
    }
    if (!flag("yes") && !addsNothing(report)) {
      if (!mayAsk(output)) {
        const unasked = problem(
          "PS991",
          "",
          "import needs --yes where nobody can be asked: nothing is changed",
        );
        problems.push(unasked);
        output.problems([unasked]);
        return end(EXIT.usage);
      }
      if (!(await saysYes("Add this to the drawing? [y/N]", output, signal))) {
        output.note("Nothing is changed.");
        return end(signal.aborted ? EXIT.interrupted : EXIT.failed);
      }
    }
    return end(await draw(before, added, output));
  },
};
