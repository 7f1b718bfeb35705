import { problem, type Problem } from "../../model/diagnostics/index.js";

/** The code a binary ends with when it refuses its configuration (EX_CONFIG of sysexits.h). */
export const EXIT_CONFIG = 78;

/** Why a process (by its name) of a binary ended with 78, from the last thing it said. */
export function configRefusal(name: string, binary: string, lastErrors: readonly string[]): Problem {
  const lines = lastErrors.map((line) => line.trim()).filter((line) => line !== "");
  const [before = "", said = "it gave no reason"] = ["", ...lines].slice(-2);
  const node = `binary:${binary}`;
  const unnamed = (line: string): string =>
    line.startsWith(`${binary}: `) ? line.slice(binary.length + 2) : line;
  // The line before says which CPU of which thread.
  if (said.endsWith(": draw other CPUs, or start with --relax-pins"))
    return problem("PS753", "", `${name}: ${unnamed(before)}`, { node });
  const reason = unnamed(said).replace(/^(?:penstock|error)\s*:\s*/i, "");
  const inUse = /address (?:is )?(?:already )?in use|EADDRINUSE/i.test(reason);
  const [, ofKeys] = /: no keys: (.*)$/.exec(reason) ?? [];
  if (ofKeys !== undefined)
    return problem("PS897", "", `${name} has no keys that it can use: ${ofKeys}`, { node });
  const [, ofToken] = /: no token: (.*)$/.exec(reason) ?? [];
  if (ofToken !== undefined)
    return problem("PS874", "", `${name} has no token to ask for over HTTP: ${ofToken}`, { node });
  if (inUse) return problem("PS876", "", `${name}: ${reason}`, { node });
  const [variable] = /\bPENSTOCK_[A-Z_]+/.exec(reason) ?? [];
  const help = `Set ${variable} right where it is started from, and start it again.`;
  return problem("PS875", "", `${name} refused its configuration: ${reason}`, {
    node,
    ...(variable === undefined ? {} : { help }),
  });
}
