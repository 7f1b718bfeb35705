// `npm run setup`: makes a fresh clone ready to run. Plain Node, needs no package.
// `-- --test` adds what the tests need; `-- --preset asan` builds a further preset of the runtime;
// `-- --packages` installs system packages and nothing else (an image's first layer).
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { takeChildrenAlong } from "./setup/child.mjs";
import { good, say, seconds } from "./setup/report.mjs";
import { explain, setUp, setUpPackages } from "./setup/set-up.mjs";

const PRESETS = ["release", "dev", "asan", "tsan"];

function optionsOrEnd() {
  try {
    const { values } = parseArgs({
      options: { test: { type: "boolean" }, preset: { type: "string" }, packages: { type: "boolean" } },
    });
    if (values.preset === undefined || PRESETS.includes(values.preset)) return values;
    say(`--preset is one of ${PRESETS.join(", ")}`);
  } catch (error) {
    say(error.message);
  }
  process.exit(2);
}

const options = optionsOrEnd();
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const startedAt = performance.now();
takeChildrenAlong();
try {
  const purpose = options.test ? "test" : "setup";
  const changed = options.packages
    ? await setUpPackages(purpose)
    : await setUp(root, purpose, options.preset);
  good(changed ? `Ready (${seconds(startedAt)})` : `Everything is in place (${seconds(startedAt)})`);
} catch (error) {
  process.exit(explain(error));
}
