import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { inTurn } from "../measure/figures.mjs";
import { waitForQuiet } from "../measure/quiet.mjs";
import { run } from "../setup/child.mjs";
import { Obstacle } from "../setup/report.mjs";
import { SYSTEMS, TIMES } from "./systems.mjs";

/** As the article has it. */
const PER_SECOND = "20";

/** Starts a program; resolves with its address once it says one, and with what ends it. */
function serve(command, args, { cwd, env }) {
  const stopping = new AbortController();
  return new Promise((resolve, reject) => {
    const ended = run(command, args, {
      cwd,
      env,
      signal: stopping.signal,
      onLine: (line) => {
        const [address] =
          /127\.0\.0\.1:\d+(?=[/"]|$)/.exec(/"http":\s*("[^"]+")/.exec(line)?.[1] ?? line) ?? [];
        if (address === undefined) return;
        const stop = async () => {
          stopping.abort();
          return (await ended).tail;
        };
        resolve({ address: `http://${address}`, stop });
      },
    });
    void ended.then(({ tail }) =>
      reject(new Obstacle(`${command} ended:\n${tail.slice(-20).join("\n")}`, "Is its port taken?")),
    );
  });
}

const startService = ({ project, go }, service) =>
  service === "go"
    ? serve(go.program, [], {})
    : serve(path.join(project, "build", "release", "counting-server"), ["--relax-pins"], {
        cwd: project,
        env: { PENSTOCK_CONTROL_TOKEN: randomBytes(24).toString("hex") },
      });

/** Starts what a system consists of; resolves with where it is asked, and with what ends it. */
async function startSystem(prepared, { service, monolith }) {
  const started = [];
  const stop = async () => {
    const said = [];
    for (const one of started.toReversed()) said.push(...(await one.stop()));
    return said;
  };
  try {
    if (service !== undefined) started.push(await startService(prepared, service));
    const carved = started[0]?.address;
    if (!monolith) return { url: `${carved}/twirp/carving.Carved/Count`, stop };
    const env = { PORT: "0", CARVED: carved ?? "" };
    const app = path.join(prepared.project, "monolith", "app.mjs");
    started.push(await serve(process.execPath, [app], { env }));
    return { url: `${started.at(-1).address}/Count`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** `penstock load` on an address; the whole of its report. */
async function load(root, url, { body, seconds, out }) {
  const args = [
    ...[path.join(root, "codegen", "bin", "penstock.mjs"), "load", url, "--body", body],
    ...["--start", PER_SECOND, "--step", "0", "--for", String(seconds), "--recovery", "600"],
    ...["--drain", "600", "--timeout", "600", "--out", out, "--json"],
  ];
  const { code, tail } = await run(process.execPath, args, { cwd: root });
  const report = tail.map((line) => (line.startsWith("{") ? JSON.parse(line) : null)).find(Boolean);
  if (code !== 0 || !report?.whole)
    throw new Obstacle(`penstock load ended with ${code}:\n${tail.slice(-20).join("\n")}`, "npm run setup");
  return report.whole;
}

/** One request before the load: what is made at first use is no part of it. */
async function warm(url, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body }).catch((error) => {
    throw new Error(`${url} does not answer: ${error.cause?.message ?? error.message}`);
  });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`);
}

/** The whole of one load on a system that is started for it. */
async function measureSystem(root, prepared, { system, times }, { seconds, folder }) {
  const { url, stop } = await startSystem(prepared, system);
  const text = JSON.stringify({ times });
  const body = path.join(folder, `${times}.json`);
  writeFileSync(body, text);
  try {
    await warm(url, text);
    const whole = await load(root, url, { body, seconds, out: folder });
    await stop();
    return { system: system.name, times, ...whole };
  } catch (error) {
    const said = await stop();
    throw new Obstacle(`${system.name}: ${error.message}\n${said.slice(-20).join("\n")}`, error.help ?? "");
  }
}

/**
 * The whole of each load, `{system, times, ...}`, every system in each round. Before each, `quietMs` are waited for a second
 * in which nobody else uses the machine.
 */
export async function measureSystems(root, prepared, { rounds, seconds, quietMs }, progress) {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-carving-"));
  const systems = SYSTEMS.filter(({ service }) => service !== "go" || prepared.go);
  const turns = systems.flatMap((system) => TIMES.map((times) => ({ system, times })));
  const runs = [];
  try {
    for (let round = 0; round < rounds; ++round)
      for (const { system, times } of inTurn(turns, round)) {
        if (quietMs > 0) await waitForQuiet(performance.now() + quietMs, progress);
        progress(`round ${round + 1}: ${system.name}, ${times} numbers`);
        runs.push(await measureSystem(root, prepared, { system, times }, { seconds, folder }));
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return runs;
}
