import type { Problem } from "@penstock/codegen/diagnostics";
import { parseTopology } from "@penstock/codegen/topology";

const FILE = "topology.json";

/**
 * Why what is on disk cannot be read, as problems of that file: their places are none of what is drawn. `help` is for
 * where nothing is known but `message`.
 */
export function damageOf(problems: readonly Problem[], message: string, help: string): Problem[] {
  if (problems.length === 0) return [{ code: "", severity: "error", message, pointer: "", help, file: FILE }];
  return problems.map((problem) => {
    const { node: _, pointer, message: why, ...rest } = problem;
    const at = pointer === "" ? "" : ` at ${pointer}`;
    return { ...rest, message: `${FILE} is damaged${at}: ${why}`, pointer: "", file: FILE };
  });
}

/** The first of it in a line; "": nothing is damaged. */
export function damageWords([wrong]: readonly Problem[]): string {
  if (!wrong) return "";
  const { message, line, column } = wrong;
  if (line === undefined) return message;
  return `${message} (line ${line}${column === undefined ? "" : `, column ${column}`})`;
}

/** Why a text that somebody brought is no drawing, where, and what is expected; "" where it is one. */
export function whyNoDrawing(text: string): string {
  const { topology, problems } = parseTopology(text);
  const [wrong] = problems;
  if (topology || !wrong) return "";
  const expected = "What is expected is the drawing of a project, topology.json in its folder.";
  return [`${damageWords(problems)}.`, wrong.help, expected].filter(Boolean).join(" ");
}
