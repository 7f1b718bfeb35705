import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { problem, type Problem } from "../model/diagnostics/index.js";
import { asksForToken, httpOf, isSecured, keyFilesOf, type Binary } from "../model/topology/index.js";
import { keysFolder } from "./keysFolder.js";

/** What of a generated configuration says what else has to be there. */
type Configuration = Pick<Binary, "http"> & { listen?: string[]; peers?: Record<string, string> };

/** undefined where it cannot be read: then the binary says so itself. */
async function configurationOf(binary: string, projectDir: string): Promise<Configuration | undefined> {
  try {
    const text = await readFile(join(projectDir, "generated/config", `${binary}.json`), "utf8");
    return JSON.parse(text) as Configuration;
  } catch {
    return undefined;
  }
}

/**
 * Why a binary would not start as it is generated now, as far as that can be seen without building it: nobody named a
 * token, or files of keys are not there. For who would end what runs for it; null: the binary itself can say more.
 *
 * @param env what it would find in its environment
 */
export async function startObstacle(
  binary: string,
  projectDir: string,
  env: NodeJS.ProcessEnv,
): Promise<Problem | null> {
  const configuration = await configurationOf(binary, projectDir);
  if (!configuration) return null;
  const about = { node: `binary:${binary}` };
  const notStarted = `${binary} was not started anew`;
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  const tokens = ["PENSTOCK_HTTP_TOKEN", "PENSTOCK_HTTP_TOKEN_FILE"];
  if (asksForToken(httpOf(configuration) ?? {}) && !tokens.some(isSet))
    return problem("PS874", "", `${notStarted}: it would have no token to ask for over HTTP`, about);
  const folder = resolve(projectDir, keysFolder(projectDir));
  const { http, listen = [], peers = {} } = configuration;
  const hasSecuredLinks = [...listen, ...Object.values(peers)].some(isSecured);
  const files = keyFilesOf({ name: binary, http }, hasSecuredLinks);
  const missing = files.filter((file) => !existsSync(join(folder, file)));
  if (missing.length === 0) return null;
  return problem("PS897", "", `${notStarted}: ${folder} has no ${missing.join(", ")}`, about);
}
