import { join, resolve } from "node:path";
import { asksForToken, httpOf, isSecured, keyFilesOf } from "../../model/topology/index.js";
import { readConfiguration, type BinaryConfiguration } from "./binaryConfiguration.js";
import { keysFolder } from "./keysFolder.js";

/** The files of keys that a binary with this configuration reads, as paths. */
export function keyFiles(
  binary: string,
  projectDir: string,
  { http, listen = [], peers = {} }: BinaryConfiguration,
): string[] {
  const folder = resolve(projectDir, keysFolder(projectDir));
  const hasSecuredLinks = [...listen, ...Object.values(peers)].some(isSecured);
  return keyFilesOf({ name: binary, http }, hasSecuredLinks).map((file) => join(folder, file));
}

/** What a binary reads once, when it is started, beside its configuration: its keys, and the file of tokens that is named. */
export async function startFiles(
  binary: string,
  projectDir: string,
  config: string,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const configuration = (await readConfiguration(config)) ?? {};
  const { PENSTOCK_HTTP_TOKEN_FILE: tokens = "" } = env;
  const asks = tokens !== "" && asksForToken(httpOf(configuration) ?? {});
  return [...keyFiles(binary, projectDir, configuration), ...(asks ? [resolve(projectDir, tokens)] : [])];
}
