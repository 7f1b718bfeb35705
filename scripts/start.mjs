// `npm start`: sets the clone up, starts the designer, and has the ads example running in it.
import path from "node:path";
import process from "node:process";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { takeChildrenAlong } from "./setup/child.mjs";
import { beginStep, say } from "./setup/report.mjs";
import { explain, setUpDesigner, setUpRuntime } from "./setup/set-up.mjs";
import { signIn } from "./start/client.mjs";
import { exampleProject, runExample } from "./start/example.mjs";
import { startOptions, USAGE } from "./start/options.mjs";
import { openBrowser } from "./start/browser.mjs";
import { startServer } from "./start/server.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

function optionsOrEnd() {
  try {
    const options = startOptions(root, process.argv.slice(2));
    if (!options.help) return options;
    process.stdout.write(`${USAGE}\n`);
    process.exit(0);
  } catch (error) {
    say(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}

const options = optionsOrEnd();
takeChildrenAlong();
try {
  await setUpDesigner(root, "start");
} catch (error) {
  process.exit(explain(error));
}

const { child, ready, ended } = await startServer(root, options);
// The terminal sends a Ctrl-C to each of its processes, and npm sends on to us what it got: that is one.
const SAME_MS = 500;
let interrupted = false;
let interruptedAt = 0;
const building = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.removeAllListeners(signal);
  process.on(signal, () => {
    const now = performance.now();
    if (interrupted && now - interruptedAt < SAME_MS) return;
    if (interrupted) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGTERM");
    interrupted = true;
    interruptedAt = now;
    building.abort();
  });
}
if (ready === undefined) process.exit(await ended);

const client = await signIn(ready.url);
let example;
let refused;
try {
  if (options.example) example = await exampleProject(client);
} catch (error) {
  refused = error;
}
/** Once signed in, the page goes to the example. */
async function freshAddress() {
  const { url } = await client.post("/api/session/codes");
  const address = new URL(url);
  if (example !== undefined) address.searchParams.set("project", example.id);
  return address.href;
}
const address = await freshAddress();
process.stdout.write(`\n  The designer is at ${address}\n\n`);
if (!options.headless) openBrowser(root, options.workspace, example?.name);
if (process.stdin.isTTY) {
  say("The address works once; Enter prints a fresh one, Ctrl-C ends everything.");
  readline
    .createInterface({ input: process.stdin })
    .on("line", () => void freshAddress().then((url) => say(`  ${url}`)));
}

// Whoever waits for the compiler can look around and draw meanwhile.
let code;
try {
  await setUpRuntime(root, ["release"], building.signal);
} catch (error) {
  if (!interrupted) {
    child.kill("SIGTERM");
    code = explain(error);
  }
}
if (options.example && code === undefined && !interrupted) {
  const step = beginStep("Example ads", "half a minute");
  try {
    if (refused !== undefined) throw refused;
    step.done(example === undefined ? "none in this workspace" : await runExample(client, example.id, step));
  } catch (error) {
    if (!interrupted) step.failed(error.message);
  }
}
const end = await ended;
process.exit(interrupted ? 130 : (code ?? end));
