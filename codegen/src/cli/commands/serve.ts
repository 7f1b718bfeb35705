import { existsSync } from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { LAST_PORT } from "../../model/topology/index.js";
import { wholeNumber } from "../verb/arguments.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { usageFailure } from "../verb/failure.js";
import { aborted } from "../verb/interrupt.js";
import { openBrowser } from "../terminal/openBrowser.js";
import { patienceOf } from "../verb/patience.js";
import { designerDir, examplesDir, runtimeRoot, version } from "../../installation/index.js";

/** `penstock serve`: the designer and its API over a workspace, until Ctrl-C. */
export const command: Command = {
  usage: "[--workspace DIR] [--host H] [--port N] [--no-open]",
  doc: "Starts the designer's server over a folder of projects and prints an address that signs in once.\nCtrl-C stops it and everything it started.",
  positionals: { min: 0, max: 0 },
  options: {
    workspace: { type: "string", value: "DIR", doc: "folder of projects; ./workspace when left out" },
    host: { type: "string", value: "H", doc: "loopback address to listen on; 127.0.0.1 when left out" },
    port: { type: "string", value: "N", doc: "port; 7000 when left out, 0 takes any free one" },
    "no-open": { type: "boolean", doc: "do not open a browser" },
  },
  examples: ["penstock serve --workspace ~/flows", "penstock serve --port 0 --no-open --json"],
  async run({ flag, value, output, signal }) {
    const port = value("port");
    const host = value("host");
    if (host !== undefined && !["127.0.0.1", "::1", "localhost"].includes(host)) {
      throw usageFailure(
        `--host cannot be ${JSON.stringify(host)}: other than loopback addresses need TLS`,
        "Leave --host out and reach the designer through an SSH tunnel.",
      );
    }
    const portNumber = port === undefined ? undefined : wholeNumber(port, "--port", 0, LAST_PORT);
    const { startServer } = await import("../../server/index.js");
    const built = existsSync(path.join(designerDir, "index.html"));
    if (!built)
      output.note("The designer is not built yet (npm run setup builds it): only the API is served.");
    const server = await startServer({
      workspace: path.resolve(value("workspace") ?? "workspace"),
      ...(host === undefined ? {} : { host }),
      ...(portNumber === undefined ? {} : { port: portNumber }),
      ...(built ? { designerDir } : {}),
      examplesDir,
      runtimeRoot,
      version: version(),
      log: (line) => output.note(line),
      patience: patienceOf(process.env),
    });
    try {
      const url = server.freshUrl();
      output.event({ event: "ready", url, port: server.port, pid: process.pid });
      output.result(url);
      if (!flag("no-open") && !output.json && !(await openBrowser(url)))
        output.note("Open the address in a browser; it works once.");
      if (process.stdin.isTTY) {
        output.note("Enter prints a fresh address, Ctrl-C stops.");
        const lines = readline.createInterface({ input: process.stdin });
        lines.on("line", () => output.result(server.freshUrl()));
        signal.addEventListener("abort", () => lines.close(), { once: true });
      }
      await aborted(signal);
      output.note("Stopping.");
    } finally {
      await server.close();
    }
    return EXIT.interrupted;
  },
};
