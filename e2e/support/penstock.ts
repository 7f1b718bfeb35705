import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test as base, type Page } from "@playwright/test";
import { compiledQuickly } from "./compiledQuickly.js";
import { holdPort } from "./heldPort.js";
import { keepWhatIsSaid } from "./said.js";

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const cli = path.join(repository, "codegen/bin/penstock.mjs");

/** The command line and the server wait as long as the tests do: a machine that stands still is no failure of theirs. */
export const PATIENT = { PENSTOCK_PATIENCE: "100" };

/** A designer's server in a workspace of its own, as a user starts it. */
export interface Penstock {
  /** `http://127.0.0.1:port` */
  origin: string;
  workspace: string;
  state: string;
  /** A fresh one-time address. */
  address(): Promise<string>;
  /** Stops the server and starts it again on the same port; resolves with a fresh address. */
  restart(): Promise<string>;
  /** Runs the command line against the same state folder; resolves with what it printed. */
  cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
}

/** Ends a process and resolves when it is gone. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  await gone;
}

/** Starts `penstock serve` and resolves with its one-time address. */
async function serve(
  workspace: string,
  env: NodeJS.ProcessEnv,
  port: number,
): Promise<{ child: ChildProcess; url: string }> {
  const args = [cli, "serve", "--workspace", workspace, "--port", String(port), "--no-open", "--json"];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString()));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/[^"\s]+/.exec(line)?.[0];
    if (url) return { child, url };
  }
  throw new Error(`penstock serve ended before it was ready:\n${words}`);
}

export const test = base.extend<{ signedIn: Page }, { penstock: Penstock; programs: string }>({
  /** A folder of the repository whose programs come before all others of their names; "" for none. */
  programs: ["", { option: true, scope: "worker" }],
  penstock: [
    async ({ programs }, use) => {
      const root = await mkdtemp(path.join(tmpdir(), "penstock-e2e-"));
      const workspace = path.join(root, "workspace");
      const state = path.join(root, "state");
      // Where the binaries of a drawing find each other: a short path, as names of sockets are.
      const runtime = await mkdtemp("/tmp/penstock-");
      const env = {
        ...process.env,
        ...PATIENT,
        XDG_STATE_HOME: state,
        XDG_RUNTIME_DIR: runtime,
        // Only the example mo-flow reads it: its database has one connection.
        MO_FLOW_CONNECTIONS: "1",
        ...compiledQuickly(),
        ...(programs === ""
          ? {}
          : { PATH: [path.join(repository, programs), process.env["PATH"]].join(path.delimiter) }),
      };
      // Its own while the server is started anew, too.
      const { port, release } = await holdPort();
      const begun = await serve(workspace, env, port);
      let { child } = begun;
      const { url } = begun;
      let first: string | undefined = url;
      const run: Penstock["cli"] = (...args) =>
        new Promise((resolve) => {
          const one = spawn(process.execPath, [cli, ...args], { env });
          let stdout = "";
          let stderr = "";
          one.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
          one.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
          one.on("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
        });
      await use({
        origin: new URL(url).origin,
        workspace,
        state,
        cli: run,
        restart: async () => {
          await end(child);
          const again = await serve(workspace, env, port);
          child = again.child;
          return again.url;
        },
        address: async () => {
          if (first) {
            const mine = first;
            first = undefined;
            return mine;
          }
          const { stdout } = await run("open", "--json");
          const fresh = /http:\/\/[^"\s]+/.exec(stdout)?.[0];
          if (!fresh) throw new Error(`penstock open gave no address: ${stdout}`);
          return fresh;
        },
      });
      await end(child);
      release();
      // What a binary left behind may still be at its end.
      for (const folder of [root, runtime])
        await rm(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 100 });
    },
    { scope: "worker" },
  ],
  signedIn: async ({ page, penstock }, use) => {
    await keepWhatIsSaid(page);
    await page.goto(await penstock.address());
    // Its code is good for one exchange: a page that is loaded again in the middle of it is signed out.
    await expect.poll(() => page.evaluate(() => localStorage.getItem("penstock.token"))).not.toBeNull();
    await use(page);
  },
});
export { expect };
