import path from "node:path";
import type { Command } from "../command.js";
import { EXIT } from "../exitCode.js";
import { environmentFailure, usageFailure } from "../failure.js";
import { openBrowser } from "../openBrowser.js";

/** Asks a running server for an address that signs in once. */
async function freshAddress(server: { url: string; token: string }): Promise<string> {
  const answer = await fetch(`${server.url}/api/session/codes`, {
    method: "POST",
    headers: {
      Origin: server.url,
      Authorization: `Bearer ${server.token}`,
      "Content-Type": "application/json",
    },
    body: "{}",
    signal: AbortSignal.timeout(5000),
  }).catch((error: unknown) => {
    throw environmentFailure(
      `the server at ${server.url} does not answer (${error instanceof Error ? error.message : String(error)})`,
      "Look at the terminal it runs in; start it again with `penstock serve`.",
    );
  });
  const body = (await answer.json()) as { url?: string; error?: { message: string } };
  if (!answer.ok || body.url === undefined) {
    throw environmentFailure(
      `the server refused: ${body.error?.message ?? answer.status}`,
      "Start it again with `penstock serve`.",
    );
  }
  return body.url;
}

/** `penstock open`: a fresh one-time address of the designer that runs. */
export const command: Command = {
  usage: "[--workspace DIR] [--no-open]",
  doc: "Opens the running designer in the browser with a fresh one-time address, or prints the address\nwhere there is no browser.",
  positionals: { min: 0, max: 0 },
  options: {
    workspace: { type: "string", value: "DIR", doc: "which server, when several run" },
    "no-open": { type: "boolean", doc: "print the address only" },
  },
  examples: ["penstock open", "penstock open --json"],
  async run({ flag, value, output }) {
    const { listServers } = await import("../../server/serverRegistry.js");
    const workspace = value("workspace");
    const wanted = workspace === undefined ? undefined : path.resolve(workspace);
    const servers = (await listServers()).filter(
      (server) => wanted === undefined || server.workspace === wanted,
    );
    const [server, ...others] = servers;
    if (server === undefined) {
      throw environmentFailure(
        wanted === undefined ? "no designer is running" : `no designer is running over ${wanted}`,
        "Start one with `penstock serve` or `npm start`.",
      );
    }
    if (others.length > 0) {
      throw usageFailure(
        `${servers.length} designers are running`,
        `Choose one with --workspace: ${servers.map((one) => one.workspace).join(", ")}.`,
      );
    }
    const url = await freshAddress(server);
    output.document({ ok: true, problems: [], url, workspace: server.workspace, pid: server.pid });
    if (output.json || flag("no-open") || !openBrowser(url)) output.result(url);
    return EXIT.done;
  },
};
