import { isAbsolute, relative, resolve } from "node:path";
import { problem, type Problem } from "../model/diagnostics/index.js";
import type { Topology } from "../model/topology/index.js";
import type { CompilerFindings, Diagnostic, LinkError, Trouble } from "./compilerOutput.js";
import { drawnPlace } from "./drawnPlace.js";
import { nodeOfFile, nodeOfService } from "./nodeOfFile.js";

const IN_DRAWING = "Correct the C++ of this setting in the drawing.";

/** More than this helps nobody; the build output has the rest. */
const MOST_PROBLEMS = 100;

export interface ProjectPlace {
  projectDir: string;
  buildDir: string;
  topology: Topology | undefined;
}

/** Path relative to the project, or undefined for a file that is not part of it. */
function projectPath(file: string, project: ProjectPlace): string | undefined {
  // Behind an expression of the drawing, generated code names itself as the project does.
  const from = file.startsWith("generated/") ? project.projectDir : project.buildDir;
  const path = relative(project.projectDir, isAbsolute(file) ? file : resolve(from, file));
  return path === "" || path.startsWith("..") || path.startsWith("build/") ? undefined : path;
}

const nodeOf = (path: string | undefined, project: ProjectPlace): { node?: string } => {
  const node = path === undefined || !project.topology ? "" : nodeOfFile(project.topology, path);
  return node === "" ? {} : { node };
};

/** Where a diagnostic belongs: itself, else the nearest place that led to it. */
function ofDiagnostic(diagnostic: Diagnostic, project: ProjectPlace): Problem {
  const code = diagnostic.severity === "error" ? "PS850" : "PS851";
  const help = diagnostic.note === undefined ? {} : { help: diagnostic.note };
  for (const { file, line, column } of [diagnostic, ...diagnostic.related]) {
    const drawn = drawnPlace(project.topology, file);
    if (drawn !== undefined) {
      const { pointer, ...node } = drawn;
      return problem(code, pointer, diagnostic.message, { help: IN_DRAWING, ...help, ...node });
    }
    const path = projectPath(file, project);
    if (path === undefined) continue;
    const base = problem(code, "", diagnostic.message, { ...help, ...nodeOf(path, project) });
    return { ...base, file: path, line, ...(column === undefined ? {} : { column }) };
  }
  return problem(code, "", diagnostic.message, help);
}

/** `::GetAd::handle(`, `::GetAd::Fast::handle(`: the service is one of the two words before it. */
const HANDLER = /(?:(?<=::)(\w+)::)?(?<=::)(\w+)::handle\(/g;

function ofLinkError(error: LinkError, project: ProjectPlace): Problem {
  const source = error.object === undefined ? undefined : /\.dir\/(.+)\.o$/.exec(error.object)?.[1];
  const path = source?.replace(/^(?:__\/)+/, "");
  // The linker names who needs the symbol; whose handler is missing stands in the symbol itself.
  const { topology } = project;
  const named = [...error.message.matchAll(HANDLER)].flatMap(([, one = "", other = ""]) => [one, other]);
  const service = topology && named.map((name) => nodeOfService(topology, name)).find((node) => node !== "");
  const node = service === undefined ? nodeOf(path, project) : { node: service };
  return { ...problem("PS852", "", error.message, node), ...(path === undefined ? {} : { file: path }) };
}

const TROUBLE: Record<Trouble, Problem> = {
  "disk-full": problem("PS858", "", "The build stopped: no space left on the disk of the build folder"),
  "out-of-memory": problem("PS857", "", "The compiler ran out of memory (out of memory limit)"),
  "process-limit": problem("PS861", "", "The build met the process limit of this user"),
  "not-writable": problem("PS863", "", "The build may not write its build folder"),
};

const keyOf = ({ code, pointer, file, line, column, message }: Problem): string =>
  JSON.stringify([code, pointer, file, line, column, message]);

/** How many of the other errors of a line are named with its first. */
const MOST_BESIDE = 3;

/**
 * One problem for each line that the compiler calls wrong: what it says of the same line after the first error mostly
 * follows from that, and stands in its help.
 */
function withoutFollowUps(found: readonly Problem[]): Problem[] {
  const isError = ({ severity }: Problem): boolean => severity === "error";
  const hasPlace = ({ file, pointer }: Problem): boolean => file !== undefined || pointer !== "";
  const lines = new Map<string, { first: Problem; beside: Set<string> }>();
  const kept: { first: Problem; beside: Set<string> }[] = [];
  for (const one of found) {
    const key = JSON.stringify([one.severity, one.file, one.line, one.pointer]);
    const line = isError(one) && hasPlace(one) ? lines.get(key) : undefined;
    if (line) {
      if (line.first.message !== one.message) line.beside.add(one.message);
      continue;
    }
    const entry = { first: one, beside: new Set<string>() };
    lines.set(key, entry);
    kept.push(entry);
  }
  return kept.map(({ first, beside }) => {
    if (beside.size === 0) return first;
    const named = [...beside].slice(0, MOST_BESIDE).join("; ");
    const more = beside.size > MOST_BESIDE ? `; and ${beside.size - MOST_BESIDE} more` : "";
    return { ...first, help: `${first.help.replace(/\.?$/, ".")} Of the same line: ${named}${more}.` };
  });
}

/** What a failed (or successful) build says, as problems on files, lines and nodes; each once. */
export function problemsOf(findings: CompilerFindings, project: ProjectPlace): Problem[] {
  const all: Problem[] = [];
  // A full disk or spent memory shows as nonsense errors too: its name comes first.
  for (const trouble of findings.troubles) {
    const explained = trouble === "not-writable" && findings.diagnostics.length > 0;
    if (!explained) all.push(TROUBLE[trouble]);
  }
  for (const error of findings.cmakeErrors) {
    const file =
      error.file === undefined ? undefined : projectPath(resolve(project.projectDir, error.file), project);
    const message = error.message || "CMake stopped with an error";
    all.push({
      ...problem("PS853", "", message),
      ...(file === undefined ? {} : { file, ...(error.line === undefined ? {} : { line: error.line }) }),
    });
  }
  all.push(...withoutFollowUps(findings.diagnostics.map((one) => ofDiagnostic(one, project))));
  for (const error of findings.linkErrors) all.push(ofLinkError(error, project));
  const unique = new Map(all.map((one) => [keyOf(one), one]));
  const errorsFirst = [...unique.values()].sort((a, b) => a.severity.localeCompare(b.severity));
  return errorsFirst.slice(0, MOST_PROBLEMS);
}
