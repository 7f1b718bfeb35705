// `npm run example -- NAME`: builds and runs an example; `--real` with MariaDB and WireMock.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { startMariaDb } from "./example/mariadb.mjs";
import { exampleOptions, USAGE } from "./example/options.mjs";
import { startWireMock } from "./example/wiremock.mjs";
import { takeChildrenAlong } from "./setup/child.mjs";
import { beginStep, say } from "./setup/report.mjs";
import { explain, setUp } from "./setup/set-up.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

function optionsOrEnd() {
  try {
    const options = exampleOptions(root, process.argv.slice(2));
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
  await setUp(root, options.real ? "real" : "start");
} catch (error) {
  process.exit(explain(error));
}
process.removeAllListeners("SIGINT").removeAllListeners("SIGTERM");

const folder = mkdtempSync(path.join(tmpdir(), "penstock-example-"));
const services = [];
let example;
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    interrupted = true;
    example?.kill("SIGINT");
  });
}

async function started(title, start) {
  const step = beginStep(title);
  try {
    const service = await start();
    services.push(service);
    step.done(service.address ?? `port ${service.port}`);
    return service;
  } catch (error) {
    step.failed();
    throw error;
  }
}

/** Where the example finds what is real, by the names of its settings. */
async function realSettings({ database, http, replyMs }) {
  const env = {};
  if (database !== undefined) env[database] = (await started("MariaDB", () => startMariaDb(folder))).address;
  if (http !== undefined)
    env[http] = String((await started("WireMock", () => startWireMock(root, folder, replyMs))).port);
  return env;
}

async function runExample() {
  const env = options.real ? await realSettings(options) : {};
  if (interrupted) return 130;
  example = spawn(
    process.execPath,
    [path.join(root, "codegen", "bin", "penstock.mjs"), "run", options.project],
    // In a group of its own: Ctrl-C comes once, from here.
    { env: { ...process.env, ...env }, stdio: ["ignore", "inherit", "inherit"], detached: true },
  );
  const [code] = await once(example, "exit");
  return code ?? 1;
}

let code;
try {
  code = await runExample();
} catch (error) {
  code = explain(error);
} finally {
  await Promise.all(services.map(({ stop }) => stop()));
  rmSync(folder, { recursive: true, force: true });
}
process.exit(code);
