import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { problem, type Problem } from "../model/diagnostics/index.js";
import { asksForToken, httpOf } from "../model/topology/index.js";
import { readConfiguration } from "./binaryConfiguration.js";
import { keyFiles } from "./startFiles.js";

/**
 * Why a binary would not start as it is generated now, as far as that can be seen without building it: nobody named a
 * token, and files of keys are not there. For who would build it, or end what runs for it; none: the binary itself can say more.
 *
 * @param env what it would find in its environment
 */
export async function startObstacles(
  binary: string,
  projectDir: string,
  env: NodeJS.ProcessEnv,
): Promise<Problem[]> {
  const configuration = await readConfiguration(join(projectDir, "generated/config", `${binary}.json`));
  if (!configuration) return [];
  const found: Problem[] = [];
  const about = { node: `binary:${binary}` };
  const notStarted = `${binary} was not started`;
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  const tokens = ["PENSTOCK_HTTP_TOKEN", "PENSTOCK_HTTP_TOKEN_FILE"];
  if (asksForToken(httpOf(configuration) ?? {}) && !tokens.some(isSet))
    found.push(problem("PS874", "", `${notStarted}: it would have no token to ask for over HTTP`, about));
  const missing = keyFiles(binary, projectDir, configuration).filter((file) => !existsSync(file));
  const [first] = missing;
  if (first === undefined) return found;
  const names = missing.map((file) => basename(file)).join(", ");
  return [...found, problem("PS897", "", `${notStarted}: ${dirname(first)} has no ${names}`, about)];
}

/** Why none of these binaries would start; nothing where one might: it runs, and the others say what they lack. */
export async function nothingStarts(
  binaries: readonly string[],
  projectDir: string,
  env: NodeJS.ProcessEnv,
): Promise<Problem[]> {
  const found = await Promise.all(binaries.map((name) => startObstacles(name, projectDir, env)));
  return found.every((one) => one.length > 0) ? found.flat() : [];
}
