/** A place that a compiler names; the path as it wrote it. */
export interface Place {
  file: string;
  line: number;
  column?: number;
}

export interface Diagnostic extends Place {
  severity: "error" | "warning";
  message: string;
  /** Where it came from: includes, instantiations, notes; nearest first. */
  related: Place[];
  /** The first note, which often says what was meant. */
  note?: string;
}

export interface LinkError {
  message: string;
  /** The object file that needs the symbol, as the linker names it. */
  object?: string;
}

/** What went wrong with the machine rather than with the code. */
export type Trouble = "disk-full" | "out-of-memory" | "process-limit" | "not-writable";

export interface CompilerFindings {
  diagnostics: Diagnostic[];
  linkErrors: LinkError[];
  cmakeErrors: { file?: string; line?: number; message: string }[];
  troubles: Set<Trouble>;
}

const DIAGNOSTIC = /^(.+?):(\d+):(?:(\d+):)? (fatal error|error|warning|note): (.*)$/;
const CONTEXT = /^(?:In file included from |\s+from )?(.+?):(\d+)(?::(\d+))?(?:[:,]|:\s+required .*)$/;
const REQUIRED = /^(.+?):(\d+):(?:(\d+):)?\s+required /;
const UNDEFINED =
  /(undefined reference to|multiple definition of|undefined symbol:|duplicate symbol:) ?(.+)$/;
const CMAKE = /^CMake Error(?: at ([^:]+):(\d+) \(.*\))?:?\s*(.*)$/;

/** A line of source below a diagnostic, and what is drawn below that: it may hold anything. */
const QUOTED = /^ *\d* \| /;

const TROUBLES: [Trouble, RegExp][] = [
  ["disk-full", /No space left on device|Disk quota exceeded/],
  [
    "out-of-memory",
    /out of memory|virtual memory exhausted|Cannot allocate memory|std::bad_alloc|Killed signal terminated program|memory exhausted/,
  ],
  ["process-limit", /Resource temporarily unavailable/],
  ["not-writable", /(?:Read-only file system|Permission denied)/],
];

const place = (file: string, line: string, column: string | undefined): Place => ({
  file,
  line: Number(line),
  ...(column === undefined ? {} : { column: Number(column) }),
});

/** Of each kind; a build that a stranger's CMake runs may print what it likes. */
const MOST_FOUND = 1_000;

/**
 * The object file that a line names, word by word: one pattern for all of it would look at a line of
 * `a.dir/a.dir/...` in the cube of its length.
 */
function objectIn(line: string): string | undefined {
  for (const word of line.split(/\s+/)) {
    const folder = word.indexOf(".dir/") + ".dir/".length;
    const object = folder <= ".dir/".length ? undefined : /^.+\.o\b/.exec(word.slice(folder))?.[0];
    if (object !== undefined) return word.slice(0, folder) + object;
  }
  return undefined;
}

/** Adds one where there is room. */
const keep = <T>(list: T[], one: T): void => {
  if (list.length < MOST_FOUND) list.push(one);
};

/**
 * Reads what cmake, ninja, g++ or clang++ and the linker wrote, line by line, in the form they
 * give to people. Knows nothing of the project: paths are as they were written.
 */
export function readCompilerOutput(lines: readonly string[]): CompilerFindings {
  const findings: CompilerFindings = {
    diagnostics: [],
    linkErrors: [],
    cmakeErrors: [],
    troubles: new Set(),
  };
  const seen = { error: 0, warning: 0 };
  let last: Diagnostic | undefined;
  let context: Place[] = [];
  let object: string | undefined;
  let cmake: { file?: string; line?: number; message: string } | undefined;

  let isCommand = false;
  for (const line of lines) {
    // After "FAILED: output" ninja repeats the command, which may hold anything that looks like an error.
    const skipped = isCommand;
    isCommand = line.startsWith("FAILED: ");
    if (skipped || QUOTED.test(line)) continue;
    for (const [trouble, pattern] of TROUBLES) if (pattern.test(line)) findings.troubles.add(trouble);

    const cmakeStart = CMAKE.exec(line);
    if (cmakeStart) {
      const [, file, at, message] = cmakeStart;
      cmake = { ...(file ? { file, line: Number(at) } : {}), message: message ?? "" };
      keep(findings.cmakeErrors, cmake);
      continue;
    }
    if (cmake && cmake.message === "" && /^\s+\S/.test(line)) cmake.message = line.trim();

    const diagnostic = DIAGNOSTIC.exec(line);
    if (diagnostic) {
      const [, file = "", at = "0", column, kind, message = ""] = diagnostic;
      if (kind === "note") {
        if (last) keep(last.related, place(file, at, column));
        if (last && last.note === undefined) last.note = message;
      } else {
        const severity = kind === "warning" ? "warning" : "error";
        last = { ...place(file, at, column), severity, message, related: context.reverse() };
        seen[severity] += 1;
        if (seen[severity] <= MOST_FOUND) findings.diagnostics.push(last);
        context = [];
      }
      continue;
    }
    const undefinedSymbol = UNDEFINED.exec(line);
    if (undefinedSymbol) {
      const message = `${undefinedSymbol[1]} ${undefinedSymbol[2]}`;
      const named = objectIn(line) ?? object;
      keep(findings.linkErrors, { message, ...(named ? { object: named } : {}) });
      continue;
    }
    const inObject = objectIn(line);
    if (inObject !== undefined) object = inObject;
    const from =
      REQUIRED.exec(line) ?? (/^(?:In file included from|\s+from) /.test(line) ? CONTEXT.exec(line) : null);
    if (from) keep(context, place(from[1] ?? "", from[2] ?? "0", from[3]));
  }
  return findings;
}
