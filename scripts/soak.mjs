// `npm run soak`: proofs that need real time, real load or luck, or are a bulk of the same; each says what it
// proved and how long it took. `-- --only NAME,...` runs some, `-- --list` names all, `-- --minutes N` says for how
// long those with invented inputs read each kind of them.
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { takeChildrenAlong } from "./setup/child.mjs";
import { beginStep, Obstacle, say, seconds } from "./setup/report.mjs";
import { explain, setUp } from "./setup/set-up.mjs";
import { PROOFS } from "./soak/proofs.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const names = PROOFS.map(({ name }) => name);

const OPTIONS = { only: { type: "string" }, list: { type: "boolean" }, minutes: { type: "string" } };

/** The proofs asked for, all when none are named. */
function asked() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    const only = values.only?.split(",") ?? names;
    const isMinutes = values.minutes === undefined || /^\d{1,4}(\.\d+)?$/.test(values.minutes);
    const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
    if (isMinutes && minutes !== 0 && only.every((name) => names.includes(name)))
      return { list: values.list, only, minutes };
  } catch {
    // Said below: it takes nothing else.
  }
  const timed = PROOFS.filter((proof) => proof.minutes !== undefined).map(({ name }) => name);
  say(
    `npm run soak takes nothing, -- --list, -- --only with a list of ${names.join(", ")}, or -- --minutes, more than 0, for ${timed.join(" and ")}`,
  );
  process.exit(2);
}
const { list, only, minutes } = asked();
if (list) {
  const width = Math.max(...names.map((name) => name.length));
  for (const { name, proves, usually } of PROOFS)
    process.stdout.write(`${name.padEnd(width)}  ${proves} (usually ${usually})\n`);
  process.exit(0);
}

takeChildrenAlong();
try {
  await setUp(root, "test");
} catch (error) {
  process.exit(explain(error));
}

let unproved = 0;
for (const proof of PROOFS.filter(({ name }) => only.includes(name))) {
  say(`\n== ${proof.name}: ${proof.proves}`);
  const startedAt = performance.now();
  const step = beginStep(proof.name, proof.usually);
  let result;
  try {
    result = await proof.run(root, (text) => step.progress(text), { minutes: minutes ?? proof.minutes });
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    result = { passed: 0, failed: 1, output: error.message };
  }
  const proved = result.failed === 0 && result.passed > 0;
  step[proved ? "done" : "failed"](`${result.passed} passed, ${result.failed} failed`);
  if (result.output) say(result.output);
  if (!proved) unproved += 1;
  process.stdout.write(
    `${proof.name}: ${proved ? "proved" : "NOT PROVED"} in ${seconds(startedAt)}: ${proof.proves}\n`,
  );
}
process.exitCode = unproved === 0 ? 0 : 1;
