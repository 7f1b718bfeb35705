import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { problem, type Problem } from "../../model/diagnostics/index.js";
import { asksForToken, httpOf } from "../../model/topology/index.js";
import { readConfiguration } from "./binaryConfiguration.js";
import { keysRemedy } from "./keysFolder.js";
import { keyFiles } from "./startFiles.js";

/** As a binary takes them (runtime-cpp/penstock/app/running/door.cpp). */
const TOKEN = /^[\x21-\x7e]{16,}$/;

/** Why there would be no token, and what else than usual is to be done; undefined: there is one, or a file that may have some. */
function tokenObstacle(
  env: NodeJS.ProcessEnv,
  ours: NodeJS.ProcessEnv,
): { reason: string; help?: string } | undefined {
  const { PENSTOCK_HTTP_TOKEN: token = "", PENSTOCK_HTTP_TOKEN_FILE: file = "" } = env;
  if (file !== "" || TOKEN.test(token)) return undefined;
  if (token !== "")
    return {
      reason: "PENSTOCK_HTTP_TOKEN is shorter than 16 characters, or has a blank or what is not ASCII",
    };
  const kept = ["PENSTOCK_HTTP_TOKEN", "PENSTOCK_HTTP_TOKEN_FILE"].find((name) => (ours[name] ?? "") !== "");
  if (kept === undefined) return { reason: "it would have no token to ask for over HTTP" };
  return {
    reason: `${kept} is not handed on to a project that came from elsewhere`,
    help: kept.endsWith("_FILE")
      ? `Add ${kept} to PENSTOCK_SANDBOX_ENV, and the file to PENSTOCK_SANDBOX_FOLDERS, where it is started from.`
      : `Add ${kept} to PENSTOCK_SANDBOX_ENV where it is started from.`,
  };
}

/**
 * Why a binary would not start as it is generated now, as far as that can be seen without building it: nobody named a
 * token that is one, and files of keys are not there. For who would build it, or end what runs for it; none: the binary itself can say more.
 *
 * @param env what it would find in its environment
 * @param ours what it would find there if it were not fenced
 */
export async function startObstacles(
  binary: string,
  projectDir: string,
  env: NodeJS.ProcessEnv,
  ours: NodeJS.ProcessEnv = process.env,
): Promise<Problem[]> {
  const configuration = await readConfiguration(join(projectDir, "generated/config", `${binary}.json`));
  if (!configuration) return [];
  const found: Problem[] = [];
  const about = { node: `binary:${binary}` };
  const notStarted = `${binary} was not started`;
  const noToken = asksForToken(httpOf(configuration) ?? {}) ? tokenObstacle(env, ours) : undefined;
  if (noToken !== undefined) {
    const { reason, ...help } = noToken;
    found.push(problem("PS874", "", `${notStarted}: ${reason}`, { ...about, ...help }));
  }
  const missing = keyFiles(binary, projectDir, configuration).filter((file) => !existsSync(file));
  const [first] = missing;
  if (first === undefined) return found;
  const names = missing.map((file) => basename(file)).join(", ");
  const details = { ...about, ...keysRemedy(projectDir) };
  return [...found, problem("PS897", "", `${notStarted}: ${dirname(first)} has no ${names}`, details)];
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
