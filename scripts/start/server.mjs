import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";
import readline from "node:readline";

/**
 * Starts `penstock serve` as a child of its own process group and waits until it says that it is
 * ready. Its words for people go straight to our stderr.
 * @returns {Promise<{child, ready: {url: string} | undefined, ended: Promise<number>}>} `ready` is
 *   undefined when it ended first
 */
export async function startServer(root, { workspace, port }) {
  const bin = path.join(root, "codegen", "bin", "penstock.mjs");
  const args = [bin, "serve", "--json", "--no-open", "--workspace", workspace];
  if (port !== undefined) args.push("--port", port);
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
    env: process.env,
  });
  const ended = new Promise((resolve) =>
    child.on("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 143))),
  );
  const lines = readline.createInterface({ input: child.stdout });
  const ready = new Promise((resolve) => {
    lines.on("line", (line) => {
      const event = JSON.parse(line);
      if (event.event === "ready") resolve(event);
      else
        for (const problem of event.problems ?? [])
          process.stderr.write(`${problem.message}\n  ${problem.help}\n`);
    });
    void ended.then(() => resolve(undefined));
  });
  return { child, ready: await ready, ended };
}
