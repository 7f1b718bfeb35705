import process from "node:process";
import { installPackages } from "./apt.mjs";
import { buildCommandLine, commandLineFresh } from "./command-line.mjs";
import { buildDesigner, designerFresh } from "./designer.mjs";
import { installNodeModules, nodeModulesFresh } from "./node-modules.mjs";
import { Obstacle, beginStep, bad, say } from "./report.mjs";
import { buildRuntime, ninjaStep, runtimeFolder, runtimeFresh } from "./runtime.mjs";
import { buildAlone } from "./under-way.mjs";
import { fetchWiremock, wiremockFresh } from "./wiremock.mjs";
import { requireWritable } from "./writable.mjs";

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 11)) return;
  throw new Obstacle(`Node.js ${process.versions.node} is too old`, "install Node.js 20.11 or newer");
}

async function step(title, usual, fresh, work) {
  if (fresh()) return false;
  const running = beginStep(title, usual);
  try {
    running.done((await work(running)) ?? "");
  } catch (error) {
    running.failed();
    throw error;
  }
  return true;
}

/**
 * What everything else is made with: packages, node_modules and command line; what is there already is only
 * checked. `purpose` is `setup`, `start`, `test` or `real` (which need more).
 * @throws {Obstacle}
 */
export async function setUpTools(root, purpose) {
  requireNode();
  requireWritable(root, ["node_modules", "build", "codegen/dist", "designer/dist"]);
  const changes = [
    await setUpPackages(purpose),
    await step(
      "Node packages (npm ci)",
      "half a minute",
      () => nodeModulesFresh(root),
      (running) => installNodeModules(root, running),
    ),
    await step(
      "Command line",
      "a second or two",
      () => commandLineFresh(root),
      async () => void (await buildCommandLine(root)),
    ),
  ];
  return changes.some(Boolean);
}

/** What the designer needs to be opened and drawn with: the tools, and the designer. @throws {Obstacle} */
export async function setUpDesigner(root, purpose) {
  const changes = [
    await setUpTools(root, purpose),
    await step(
      "Designer",
      "10 s",
      () => designerFresh(root),
      (running) => buildDesigner(root, running),
    ),
  ];
  return changes.some(Boolean);
}

/** The library that every binary links: what is needed to build and run. `signal` ends it. @throws {Obstacle} */
export async function setUpRuntime(root, presets = ["release"], signal) {
  const changes = [];
  for (const preset of new Set(presets)) {
    changes.push(
      await step(
        `Runtime library (${preset})`,
        "2 to 5 minutes, with ccache seconds",
        () => runtimeFresh(root, preset),
        (running) => buildRuntimeAlone(root, preset, running, signal),
      ),
    );
  }
  return changes.some(Boolean);
}

/** Builds it unless another set-up of this clone does, and lets builds of projects see how far it is. */
const buildRuntimeAlone = (root, preset, running, signal) =>
  buildAlone(
    runtimeFolder(root, preset),
    running,
    (tell) =>
      buildRuntime(root, preset, running, {
        signal,
        onLine: (line) => {
          const at = ninjaStep(line);
          if (at !== undefined) tell(at.done, at.total);
        },
      }),
    signal,
  );

/** Makes a clone ready: all of it. `preset` is one more build of the runtime. @throws {Obstacle} */
export async function setUp(root, purpose, preset = "release") {
  const changes = [
    await setUpDesigner(root, purpose),
    (purpose === "test" || purpose === "real") &&
      (await step(
        "WireMock",
        "10 s",
        () => wiremockFresh(root),
        () => fetchWiremock(root),
      )),
    await setUpRuntime(root, ["release", preset]),
  ];
  return changes.some(Boolean);
}

/** The system packages alone; true when some were installed. @throws {Obstacle} */
export async function setUpPackages(purpose) {
  const packages = beginStepLater("System packages", "1 to 3 minutes");
  return (await packages.run((running) => installPackages(purpose, running))) > 0;
}

/** A step that shows itself only once it has something to say. */
function beginStepLater(title, usual) {
  return {
    async run(work) {
      let running;
      const quiet = {
        progress: (text) => (running ??= beginStep(title, usual)).progress(text),
      };
      try {
        const count = await work(quiet);
        running?.done(`${count} installed`);
        return count;
      } catch (error) {
        running?.failed();
        throw error;
      }
    },
  };
}

/** Prints why set-up cannot go on and what to do; the exit code to end with. */
export function explain(error) {
  if (!(error instanceof Obstacle)) throw error;
  bad(error.message);
  say(`  What helps: ${error.remedy}`);
  return 3;
}
