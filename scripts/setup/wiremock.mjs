import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { replaceFile } from "./replace-file.mjs";
import { Obstacle } from "./report.mjs";

const VERSION = "3.13.1";
const SHA256 = "bdf4c705e7fd61c778e59a19f75396eac4520efeabfac97643a53979bd4d5716";
const ADDRESS = `https://repo1.maven.org/maven2/org/wiremock/wiremock-standalone/${VERSION}/wiremock-standalone-${VERSION}.jar`;
const PATIENCE = 120_000;

export const wiremockJar = (root) =>
  path.join(root, "build", "wiremock", `wiremock-standalone-${VERSION}.jar`);

/** Whether these are the bytes that were looked at when the version was chosen. */
export const isWiremock = (bytes, sha256 = SHA256) =>
  createHash("sha256").update(bytes).digest("hex") === sha256;

export const wiremockFresh = (root) =>
  existsSync(wiremockJar(root)) && isWiremock(readFileSync(wiremockJar(root)));

/** Fetches WireMock once. @throws {Obstacle} */
export async function fetchWiremock(root) {
  const file = wiremockJar(root);
  const remedy = `put ${ADDRESS} into ${path.dirname(file)}`;
  let bytes;
  try {
    const answer = await fetch(ADDRESS, { signal: AbortSignal.timeout(PATIENCE) });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    bytes = Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    throw new Obstacle(`WireMock ${VERSION} could not be fetched: ${error.message}`, remedy);
  }
  if (!isWiremock(bytes))
    throw new Obstacle(`what ${ADDRESS} gave is not WireMock ${VERSION}: its sha256 is another one`, remedy);
  replaceFile(file, bytes);
}
