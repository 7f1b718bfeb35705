import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { HttpLoad } from "../../load/index.js";
import { headerOf, LOAD_METHODS } from "../../contract/index.js";
import { suggest } from "../../model/diagnostics/index.js";
import { wholeNumber } from "../verb/arguments.js";
import type { Invocation, OptionSpec } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";
import { projectPlace } from "../project/projectArgument.js";
import {
  answering,
  byBinary,
  chosen,
  knownProcesses,
  refuseSilent,
  type Running,
  theRunningBinary,
} from "./runningBinaries.js";

const BODY_LIMIT = 16 * 1024 * 1024;

/** What is said about the requests to an address; a flow takes none of these. */
export const REQUEST_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  method: { type: "string", oneOf: LOAD_METHODS, doc: "of the requests (GET; POST with a body)" },
  body: {
    type: "string",
    value: "FILE",
    doc: "sends this text; {{n}} in it is the number of the request, {{ms}} the time",
  },
  header: {
    type: "string",
    value: "'NAME: VALUE'",
    many: true,
    doc: "sends this header; may be given more than once",
  },
  connections: { type: "string", value: "COUNT", doc: "requests on their way at once (256)" },
  timeout: { type: "string", value: "SECONDS", doc: "a request that takes longer has failed (10)" },
  drain: {
    type: "string",
    value: "SECONDS",
    doc: "so long what is on its way at the end is waited for (0)",
  },
};

export const isAddress = (target: string): boolean => /^https?:\/\//i.test(target);

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const header = headerOf(line);
      if (header === undefined)
        throw usageFailure(
          `--header cannot be ${JSON.stringify(line)}`,
          "It is a name and a value: 'Accept: text/plain'.",
        );
      return header;
    }),
  );
}

function bodyOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "EISDIR") throw error;
    throw usageFailure(`--body: there is no file ${file}`, "It is a file with the text to send.");
  }
  if (bytes.byteLength > BODY_LIMIT) throw usageFailure(`--body: ${file} is larger than 16 MB`, "Send less.");
  return bytes.toString("utf8");
}

/** The requests that an address is loaded with. */
export function readRequests(target: string, { value, all }: Pick<Invocation, "value" | "all">): HttpLoad {
  let url: URL;
  try {
    url = new URL(target);
  } catch {
    throw usageFailure(`${target} is no address`, "It is one such as http://127.0.0.1:8080/mo.");
  }
  const body = bodyOf(value("body"));
  const method = LOAD_METHODS.find((one) => one === value("method")) ?? (body === undefined ? "GET" : "POST");
  const headers = headersOf(all("header"));
  if (body !== undefined) headers["content-type"] ??= "application/json";
  return {
    url,
    method,
    body,
    headers,
    connections: wholeNumber(value("connections") ?? "256", "--connections", 1, 16_384),
    timeoutMs: wholeNumber(value("timeout") ?? "10", "--timeout", 1, 600) * 1000,
    drainMs: wholeNumber(value("drain") ?? "0", "--drain", 0, 600) * 1000,
  };
}

const isProject = (target: string): boolean =>
  path.basename(target) === "topology.json" || existsSync(path.join(target, "topology.json"));

function notRunningHelp(target: string, running: readonly string[], address: string): string {
  const near = suggest(target, running);
  if (near !== undefined) return `Did you mean ${near}?`;
  if (/^[.~]?\//.test(target) || target.includes("../"))
    return "A folder of a project holds a topology.json.";
  if (/[.:]/.test(target)) return `An address begins with ${address}.`;
  return running.length === 0
    ? "Nothing runs: start it with `penstock run --detach` or in the designer."
    : `What runs: ${[...new Set(running)].join(", ")}.`;
}

/**
 * The running binary that is meant: by its name (or that of one process of it), whatever project it is of, or by the
 * folder of a project of which one binary runs.
 *
 * @param address how one would begin that were meant instead
 */
export async function readBinary(
  target: string,
  project: string | undefined,
  address = "http://",
): Promise<Running> {
  if (project === undefined && isProject(target))
    return theRunningBinary(projectPlace(target).dir, undefined, "Name one in place of the project");
  const known = await knownProcesses(project === undefined ? undefined : projectPlace(project).dir);
  const meant = chosen(known, target);
  const [first, ...others] = byBinary(await answering(meant));
  if (first === undefined) {
    refuseSilent(meant);
    const names = (await answering(known)).map(({ binary }) => binary);
    throw new Failure(
      EXIT.environment,
      "PS993",
      `${target} is not running`,
      notRunningHelp(target, names, address),
    );
  }
  if (others.length > 0)
    throw usageFailure(
      `${target} of several projects is running`,
      `Choose one with --project: ${[first, ...others].map((entry) => entry.project).join(", ")}.`,
    );
  return first;
}

/** The flow that is meant; with several that can be loaded, `--flow` has to say which. */
export function chooseFlow(asked: string | undefined, flows: readonly string[]): string {
  if (asked !== undefined) return asked;
  const [only, ...others] = flows;
  if (only === undefined)
    throw new Failure(
      EXIT.usage,
      "PS884",
      "no flow of the binary has a source with a rate",
      "Load its HTTP address instead: `penstock load http://...`.",
    );
  if (others.length > 0)
    throw usageFailure("several flows can be loaded", `Choose one with --flow: ${flows.join(", ")}.`);
  return only;
}
