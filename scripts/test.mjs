// `npm test`: sets the clone up, then runs everything; `npm test -- --only units,runtime` runs parts.
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pauseGentle, resumeGentle, takeChildrenAlong } from "./setup/child.mjs";
import { beginStep, Obstacle, say, seconds } from "./setup/report.mjs";
import { explain, setUp } from "./setup/set-up.mjs";
import { SECTIONS } from "./test/sections.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const names = SECTIONS.map((section) => section.name);

/** The sections asked for; undefined: all. */
function chosen() {
  try {
    const { values } = parseArgs({ options: { only: { type: "string" } } });
    const list = values.only?.split(",");
    if (list === undefined || list.every((name) => names.includes(name))) return list;
  } catch {
    // Said below: it takes nothing else.
  }
  say(`npm test takes nothing, or -- --only with a list of ${names.join(", ")}`);
  process.exit(2);
}
const only = chosen();

takeChildrenAlong();
const startedAt = performance.now();
try {
  await setUp(root, "test");
} catch (error) {
  process.exit(explain(error));
}

// A run of everything ends within 40 minutes: what both sanitizers run is not run a third time, and
// they are built while tests wait for binaries.
if (only === undefined) process.env.PENSTOCK_TESTS_WITHOUT_SANITIZED = "1";
const PREPARES_BESIDE = "builds";
const prepared = new Map();
function prepareTheRest() {
  let before = Promise.resolve();
  for (const { name, prepare } of SECTIONS) {
    if (prepare === undefined) continue;
    const ahead = new AbortController();
    const done = before.then(() => !ahead.signal.aborted && prepare(root, ahead.signal)).catch(() => {});
    prepared.set(name, { ahead, done });
    before = done;
  }
}
/** Ends what is still being prepared for a section: with all processors it is done sooner. */
async function takeOver(name) {
  const { ahead, done } = prepared.get(name) ?? {};
  ahead?.abort();
  await done;
}

const total = { passed: 0, failed: 0 };
for (const section of SECTIONS.filter(({ name }) => only?.includes(name) ?? true)) {
  say(`\n== ${section.title}`);
  const step = beginStep(section.title);
  if (only === undefined && section.name === PREPARES_BESIDE) prepareTheRest();
  let result;
  try {
    if (section.alone) pauseGentle();
    else resumeGentle();
    await takeOver(section.name);
    result = await section.run(root, (text) => step.progress(text));
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    result = { passed: 0, failed: 1, output: error.message };
  }
  const counts = `${result.passed} passed, ${result.failed} failed`;
  step[result.failed === 0 ? "done" : "failed"](counts);
  if (result.output) say(result.output);
  total.passed += result.passed;
  total.failed += result.failed;
}
say(`\nAll of it took ${seconds(startedAt)}.`);
// The last line is for machines: counts alone.
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
