import { spawn } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { printTopology, topologySchema } from "../../src/model/topology/index.js";
import { manyServices } from "../../test/support/manyServices.js";

/**
 * From Build to Running on the command line: `npx tsx codegen/tools/times/build.ts [EXAMPLE=hello] [RUNS=5]`;
 * `many` is a drawing of 100 services. For each run a fresh copy: first build, then one after the edit of a
 * handler, and of `many` one after another call was drawn; with the compiler cache off, from the start of `penstock run`
 * to its `ready` line. Prints JSON: seconds of each run.
 */
const [example = "hello", runs = "5"] = process.argv.slice(2);
const repository = fileURLToPath(new URL("../../../", import.meta.url));
const cli = join(repository, "codegen", "bin", "penstock.mjs");
const HANDLERS: Record<string, string> = {
  hello: "src/services/addition.cpp",
  ads: "src/services/get_ad.cpp",
  many: "src/services/service0.cpp",
};

function draw(project: string): void {
  if (example !== "many")
    return cpSync(join(repository, "examples", example), project, {
      recursive: true,
      filter: (source) => !["build", "generated"].includes(basename(source)),
    });
  mkdirSync(project);
  drawMany(project, []);
}

/** The second service calls some more than the next one. */
function drawMany(project: string, more: readonly string[]): void {
  const drawn = topologySchema.parse(manyServices(100, 10));
  const services = drawn.services.map((service, at) =>
    at === 1 ? { ...service, calls: [...service.calls, ...more] } : service,
  );
  writeFileSync(join(project, "topology.json"), printTopology({ ...drawn, services }));
}

/** Seconds until the binary is ready; it is stopped again before this resolves. */
function run(project: string, env: NodeJS.ProcessEnv): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [cli, "run", project, "--json", "--trust"], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let ready: number | undefined;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (ready !== undefined || (JSON.parse(line) as { event?: string }).event !== "ready") return;
    ready = (performance.now() - started) / 1000;
    child.kill("SIGINT");
  });
  return new Promise((resolve, reject) =>
    child.on("close", () => (ready === undefined ? reject(new Error("it did not run")) : resolve(ready))),
  );
}

const first: number[] = [];
const edited: number[] = [];
const called: number[] = [];
for (let at = 0; at < Number(runs); at++) {
  const root = mkdtempSync(join(tmpdir(), "penstock-bench-"));
  const env = { ...process.env, CCACHE_DISABLE: "1", XDG_STATE_HOME: join(root, "state") };
  const project = join(root, example);
  draw(project);
  first.push(await run(project, env));
  appendFileSync(join(project, HANDLERS[example]!), `\nstatic_assert(${at} >= 0);\n`);
  edited.push(await run(project, env));
  if (example === "many") {
    drawMany(project, ["Service50"]);
    called.push(await run(project, env));
  }
  rmSync(root, { recursive: true });
}
console.log(JSON.stringify({ first, edited, called }));
