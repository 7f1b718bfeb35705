import type { Problem } from "@penstock/codegen/diagnostics";
import type { Diagnostic } from "@codemirror/lint";
import type { Text } from "@codemirror/state";

const WORD = /[A-Za-z0-9_]/;

/** The compiler's words about a file, as marks on its text: from the column to the end of the word there. */
export function diagnosticsOf(path: string, problems: readonly Problem[], text: Text): Diagnostic[] {
  const marks: Diagnostic[] = [];
  for (const problem of problems) {
    if (problem.file?.replace(/^\.\//, "") !== path || !problem.line) continue;
    const line = text.line(Math.min(Math.max(problem.line, 1), text.lines));
    const from = Math.min(line.from + Math.max((problem.column ?? 1) - 1, 0), line.to);
    let to = from;
    while (to < line.to && WORD.test(text.sliceString(to, to + 1))) to += 1;
    marks.push({
      from: to === from && to === line.to ? line.from : from,
      to: Math.max(to, Math.min(from + 1, line.to)),
      severity: problem.severity,
      source: "compiler",
      message: [problem.message, problem.help].filter(Boolean).join("\n"),
    });
  }
  return marks.toSorted((a, b) => a.from - b.from);
}
