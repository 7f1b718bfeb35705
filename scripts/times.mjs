// `npm run times`: how long checking, generating and building take, drawn into docs/times.md.
import { writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { takeChildrenAlong } from "./setup/child.mjs";
import { beginStep, say } from "./setup/report.mjs";
import { explain, setUp } from "./setup/set-up.mjs";
import { measureTimes } from "./times/measure.mjs";
import { machineOf, timesPage } from "./times/page.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

if (process.argv.length > 2) {
  say("npm run times takes nothing: it measures for some four minutes and draws docs/times.md");
  process.exit(2);
}
takeChildrenAlong();
try {
  await setUp(root, "start");
  const step = beginStep("Times from drawing to running");
  const rows = await measureTimes(root, (text) => step.progress(text));
  const page = path.join(root, "docs", "times.md");
  writeFileSync(page, timesPage(rows, machineOf(), new Date()));
  step.done(path.relative(root, page));
} catch (error) {
  process.exit(explain(error));
}
