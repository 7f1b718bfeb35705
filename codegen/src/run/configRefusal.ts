import { problem, type Problem } from "../model/diagnostics/index.js";

/** The code a binary ends with when it refuses its configuration (EX_CONFIG of sysexits.h). */
export const EXIT_CONFIG = 78;

/** Why a process (by its name) of a binary ended with 78, from the last thing it said. */
export function configRefusal(name: string, binary: string, lastErrors: readonly string[]): Problem {
  const said = lastErrors.findLast((line) => line.trim() !== "")?.trim() ?? "it gave no reason";
  const unnamed = said.startsWith(`${binary}: `) ? said.slice(binary.length + 2) : said;
  const reason = unnamed.replace(/^(?:penstock|error)\s*:\s*/i, "");
  const inUse = /address (?:is )?(?:already )?in use|EADDRINUSE/i.test(reason);
  const node = `binary:${binary}`;
  const [, ofKeys] = /: no keys: (.*)$/.exec(reason) ?? [];
  if (ofKeys !== undefined)
    return problem("PS897", "", `${name} has no keys that it can use: ${ofKeys}`, { node });
  const [, ofToken] = /: no token: (.*)$/.exec(reason) ?? [];
  if (ofToken !== undefined)
    return problem("PS874", "", `${name} has no token to ask for over HTTP: ${ofToken}`, { node });
  return inUse
    ? problem("PS876", "", `${name}: ${reason}`, { node })
    : problem("PS875", "", `${name} refused its configuration: ${reason}`, { node });
}
