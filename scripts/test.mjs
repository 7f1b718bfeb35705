// `npm test`: sets the clone up, then runs every section whose inputs have changed since it passed here.
// `-- --all` runs them all, `-- --only units,runtime` those named, `-- --changed` what a change can affect.
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { takeChildrenAlong } from "./setup/child.mjs";
import { beginStep, good, Obstacle, say, seconds } from "./setup/report.mjs";
import { explain, setUp, setUpTools } from "./setup/set-up.mjs";
import { changedPart } from "./test/changed.mjs";
import { hasInputs } from "./test/inputs.mjs";
import { SECTIONS } from "./test/sections.mjs";
import { sourcesOf } from "./test/sources.mjs";
import {
  isSame,
  readSectionStamp,
  stampFolder,
  stampOf,
  toolsHash,
  writeSectionStamp,
} from "./test/stamps.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const names = SECTIONS.map((section) => section.name);

/** What was asked for: `only` a list of sections, `changed` or `all`; nothing: what has not passed yet. */
function asked() {
  try {
    const { values } = parseArgs({
      options: { only: { type: "string" }, changed: { type: "boolean" }, all: { type: "boolean" } },
    });
    const only = values.only?.split(",");
    const sound = only === undefined || only.every((name) => names.includes(name));
    if (sound && Object.keys(values).length <= 1) return { ...values, only };
  } catch {
    // Said below: it takes nothing else.
  }
  say(
    `npm test takes nothing, or one of -- --all, -- --changed, -- --only with a list of ${names.join(", ")}`,
  );
  process.exit(2);
}
const { only, changed, all } = asked();

takeChildrenAlong();
const startedAt = performance.now();
/** Makes ready what is tested, or ends with what is in the way. */
async function ready(setUpIt) {
  try {
    await setUpIt(root, "test");
  } catch (error) {
    process.exit(explain(error));
  }
}
await ready(changed ? setUpTools : setUp);

const state = { folder: stampFolder(root), sources: sourcesOf(root), tools: toolsHash() };
const stampNow = (section) => stampOf(section.name, state.sources, state.tools);

/** Whether a section would read what it read when it passed here: then it passes again. */
const unchanged = (section) =>
  hasInputs(section.name) && isSame(readSectionStamp(state.folder, section.name), stampNow(section));

/** The sections to run, with what is run of each; those that are left out are said. */
function chosen() {
  const whole = (section) => ({ ...section, work: (progress) => section.run(root, progress) });
  if (only !== undefined) return SECTIONS.filter(({ name }) => only.includes(name)).map(whole);
  if (changed) {
    const parts = SECTIONS.map((section) =>
      hasInputs(section.name) ? { ...section, part: changedPart(root, section, state) } : whole(section),
    );
    return parts
      .filter(({ work, part }) => work ?? part)
      .map((one) =>
        one.work ? one : { ...one, title: `${one.title}, ${one.part.why}`, work: one.part.run },
      );
  }
  const stale = SECTIONS.filter((section) => all || !unchanged(section));
  for (const section of SECTIONS)
    if (!stale.includes(section)) good(`${section.title}: unchanged since it passed`);
  // What both sanitizers run is not run a third time.
  return stale.map((section) => whole({ ...section, run: section.rest ?? section.run }));
}
const sections = chosen();
if (sections.some(({ part }) => part?.needsBuilt)) await ready(setUp);

/** Kept when all of it passed, and nobody has changed a file meanwhile. */
function keep(section, result) {
  if (changed || !hasInputs(section.name) || result.failed > 0 || result.passed === 0 || result.output)
    return;
  const now = stampOf(section.name, sourcesOf(root), state.tools);
  if (isSame(stampNow(section), now)) writeSectionStamp(state.folder, section.name, now);
}

const total = { passed: 0, failed: 0 };
async function prove(section) {
  const step = beginStep(section.title);
  let result;
  try {
    result = await section.work((text) => step.progress(text));
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    result = { passed: 0, failed: 1, output: error.message };
  }
  const counts = `${result.passed} passed, ${result.failed} failed`;
  step[result.failed === 0 ? "done" : "failed"](counts);
  if (result.output) say(result.output);
  keep(section, result);
  total.passed += result.passed;
  total.failed += result.failed;
}
/** One after the other; then what is left of the others. */
async function proveAll(some, others = []) {
  for (let next = some.shift(); next; next = some.shift() ?? others.shift()) await prove(next);
}

const first = sections.findIndex(({ waits }) => waits);
const beside = first < 0 ? [] : sections.splice(first);
await proveAll(sections);
const waiting = beside.filter(({ waits }) => waits);
const busy = beside.filter(({ waits }) => !waits);
await Promise.all([proveAll(waiting, busy), proveAll(busy, waiting)]);
say(`\nAll of it took ${seconds(startedAt)}.`);
// The last line is for machines: counts alone.
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
