import { realpath } from "node:fs/promises";
import path from "node:path";
import { suggest } from "../../model/diagnostics/index.js";
import { ROUTES, type RouteAnswer } from "../../contract/index.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { environmentFailure, usageFailure } from "../verb/failure.js";
import { openBrowser } from "../terminal/openBrowser.js";
import { patiently } from "../verb/patience.js";

interface Server {
  url: string;
  token: string;
}

async function ask<Name extends "makeCode" | "projects">(
  server: Server,
  name: Name,
): Promise<RouteAnswer<Name>> {
  const { method, path: route } = ROUTES[name];
  const answer = await fetch(`${server.url}${route}`, {
    method: method.toUpperCase(),
    headers: {
      Origin: server.url,
      Authorization: `Bearer ${server.token}`,
      ...(method === "post" ? { "Content-Type": "application/json" } : {}),
    },
    ...(method === "post" ? { body: "{}" } : {}),
    signal: AbortSignal.timeout(patiently(5000)),
  }).catch((error: unknown) => {
    throw environmentFailure(
      `the server at ${server.url} does not answer (${error instanceof Error ? error.message : String(error)})`,
      "Look at the terminal it runs in; start it again with `penstock serve`.",
    );
  });
  if (answer.ok) return (await answer.json()) as RouteAnswer<Name>;
  const { error } = (await answer.json().catch(() => ({}))) as { error?: { message: string } };
  throw environmentFailure(
    `the server refused: ${error?.message ?? answer.status}`,
    "Start it again with `penstock serve`.",
  );
}

/** An address that signs in once, at a project where one is named. */
async function freshAddress(server: Server, project: string | undefined): Promise<string> {
  const { url } = await ask(server, "makeCode");
  if (project === undefined) return url;
  const projects = await ask(server, "projects");
  const names = projects.map(({ name }) => name);
  const found = projects.find(({ name }) => name === project);
  if (found === undefined) {
    const near = suggest(project, names);
    throw usageFailure(
      `there is no project ${JSON.stringify(project)} in that workspace`,
      near === undefined ? `There are ${names.join(", ") || "none"}.` : `Did you mean ${near}?`,
    );
  }
  const address = new URL(url);
  address.searchParams.set("project", found.id);
  return address.href;
}

/** `penstock open`: a fresh one-time address of the designer that runs. */
export const command: Command = {
  usage: "[--workspace DIR] [--project NAME] [--no-open]",
  doc: "Opens the running designer in the browser with a fresh one-time address, or prints the address\nwhere there is no browser.",
  positionals: { min: 0, max: 0 },
  options: {
    workspace: { type: "string", value: "DIR", doc: "which server, when several run" },
    project: { type: "string", value: "NAME", doc: "which project of its workspace to open" },
    "no-open": { type: "boolean", doc: "print the address only" },
  },
  examples: ["penstock open", "penstock open --project ads", "penstock open --json"],
  async run({ flag, value, output }) {
    const { listServers } = await import("../../server/index.js");
    const workspace = value("workspace");
    const wanted =
      workspace === undefined ? undefined : await realpath(workspace).catch(() => path.resolve(workspace));
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
    const url = await freshAddress(server, value("project"));
    output.document({ ok: true, problems: [], url, workspace: server.workspace, pid: server.pid });
    if (output.json || flag("no-open") || !(await openBrowser(url))) output.result(url);
    return EXIT.done;
  },
};
