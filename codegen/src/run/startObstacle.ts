import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { problem, type Problem } from "../model/diagnostics/index.js";
import { asksForToken, httpOf, isSecured, type Binary } from "../model/topology/index.js";
import { keysFolder } from "./keysFolder.js";

/** What of a generated configuration says what else has to be there. */
type Configuration = Pick<Binary, "http"> & { listen?: string[]; peers?: Record<string, string> };

/** The files that a binary reads in the folder of keys. */
function keyFilesOf(binary: string, { http, listen = [], peers = {} }: Configuration): string[] {
  const { tls } = httpOf({ http }) ?? {};
  const hasOwn = tls === "keys" || [...listen, ...Object.values(peers)].some(isSecured);
  return [
    ...(hasOwn ? ["ca.crt", `${binary}.crt`, `${binary}.key`] : []),
    ...(typeof tls === "object" ? [tls.cert, tls.key] : []),
  ];
}

/**
 * Why a binary would not start here, as far as it can be seen without starting it: no token to ask for, or no keys.
 * For who would end another one for it; null: none, or only the binary itself can say.
 *
 * @param configFile the configuration that it would start with
 * @param env what it would find in its environment
 */
export async function startObstacle(
  binary: string,
  configFile: string,
  projectDir: string,
  env: NodeJS.ProcessEnv,
): Promise<Problem | null> {
  const configuration = JSON.parse(await readFile(configFile, "utf8")) as Configuration;
  const node = `binary:${binary}`;
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  if (
    asksForToken(httpOf(configuration) ?? {}) &&
    !isSet("PENSTOCK_HTTP_TOKEN") &&
    !isSet("PENSTOCK_HTTP_TOKEN_FILE")
  )
    return problem("PS874", "", `${binary} would have no token to ask for over HTTP`, { node });
  const folder = keysFolder(projectDir);
  const missing = keyFilesOf(binary, configuration).filter((file) => !existsSync(join(folder, file)));
  if (missing.length === 0) return null;
  return problem("PS897", "", `${binary} would have no keys: ${missing.join(", ")} not in ${folder}`, {
    node,
  });
}
