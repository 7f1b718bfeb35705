import process from "node:process";
import { installPackages } from "./apt.mjs";
import { buildCommandLine, commandLineFresh } from "./command-line.mjs";
import { buildDesigner, designerFresh } from "./designer.mjs";
import { installNodeModules, nodeModulesFresh } from "./node-modules.mjs";
import { Obstacle, beginStep, bad, say } from "./report.mjs";
import { buildRuntime, runtimeFresh } from "./runtime.mjs";
import { fetchWiremock, wiremockFresh } from "./wiremock.mjs";
import { requireWritable } from "./writable.mjs";

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 11)) return;
  throw new Obstacle(`Node.js ${process.versions.node} is too old`, "install Node.js 20.11 or newer");
}

async function step(title, fresh, work) {
  if (fresh()) return false;
  const running = beginStep(title);
  try {
    running.done((await work(running)) ?? "");
  } catch (error) {
    running.failed();
    throw error;
  }
  return true;
}

async function runtimePresets(root, presets) {
  const changed = [];
  for (const preset of presets) {
    changed.push(
      await step(
        `Runtime library (${preset})`,
        () => runtimeFresh(root, preset),
        (running) => buildRuntime(root, preset, running),
      ),
    );
  }
  return changed;
}

/**
 * Makes a clone ready: packages, node_modules, command line, runtime, designer; what is there already is only
 * checked. `purpose` is `setup`, `start`, `test` or `real` (which need more); `preset` is one
 * more build of the runtime.
 * @throws {Obstacle}
 */
export async function setUp(root, purpose, preset = "release") {
  requireNode();
  requireWritable(root, ["node_modules", "build", "codegen/dist", "designer/dist"]);
  const changes = [
    await setUpPackages(purpose),
    await step(
      "Node packages (npm ci)",
      () => nodeModulesFresh(root),
      (running) => installNodeModules(root, running),
    ),
    await step(
      "Command line",
      () => commandLineFresh(root),
      async () => void (await buildCommandLine(root)),
    ),
    (purpose === "test" || purpose === "real") &&
      (await step(
        "WireMock",
        () => wiremockFresh(root),
        () => fetchWiremock(root),
      )),
    ...(await runtimePresets(root, new Set(["release", preset]))),
    await step(
      "Designer",
      () => designerFresh(root),
      (running) => buildDesigner(root, running),
    ),
  ];
  return changes.some(Boolean);
}

/** The system packages alone; true when some were installed. @throws {Obstacle} */
export async function setUpPackages(purpose) {
  const packages = beginStepLater("System packages");
  return (await packages.run((running) => installPackages(purpose, running))) > 0;
}

/** A step that shows itself only once it has something to say. */
function beginStepLater(title) {
  return {
    async run(work) {
      let running;
      const quiet = {
        progress: (text) => (running ??= beginStep(title)).progress(text),
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
