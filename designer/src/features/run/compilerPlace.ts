import type { Problem } from "@penstock/codegen/diagnostics";

const PLACE = /^([^\s:][^:]*):(\d+):(\d+): (?:fatal )?(error|warning): (.*)$/;

/** Reads `file:line:column: error: message`, as g++ and clang print it; undefined for other lines. */
export function compilerPlace(line: string): Problem | undefined {
  const found = PLACE.exec(line);
  if (!found) return undefined;
  const [, file = "", row = "", column = "", severity, message = ""] = found;
  return {
    code: "",
    severity: severity === "error" ? "error" : "warning",
    message,
    pointer: "",
    help: "",
    file,
    line: Number(row),
    column: Number(column),
  };
}
