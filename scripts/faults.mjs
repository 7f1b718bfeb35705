// `npm run faults`: runs every test that is named after a row of the fault list, prints the rows and,
// last, how many passed. `-- --write` makes docs/faults.md from the tests' names and runs nothing.
import { writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { findTests } from "./faults/find-tests.mjs";
import { FAULTS } from "./faults/list.mjs";
import { faultsPage } from "./faults/page.mjs";
import { runFaultTests } from "./faults/run-tests.mjs";
import { takeChildrenAlong } from "./setup/child.mjs";
import { bad, beginStep, good, say } from "./setup/report.mjs";
import { explain, setUp } from "./setup/set-up.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const tests = findTests(root);
if (process.argv.includes("--write")) {
  writeFileSync(path.join(root, "docs", "faults.md"), faultsPage(tests));
  process.exit(0);
}

takeChildrenAlong();
try {
  await setUp(root, "test");
} catch (error) {
  process.exit(explain(error));
}

const step = beginStep("Tests of the fault list");
const results = await runFaultTests(root, tests, (text) => step.progress(text));
step.done(`${results.length} ran`);
let passed = 0;
for (const [row, fault] of FAULTS) {
  const own = results.filter((result) => result.row === row);
  const failed = own.filter((result) => !result.ok);
  if (own.length > 0 && failed.length === 0) {
    passed += 1;
    good(`${row} ${fault}: ${own.length} tests`);
  } else if (tests.some((test) => test.row === row)) {
    bad(`${row} ${fault}: ${own.length === 0 ? "its test did not run" : `${failed.length} failed`}`);
    for (const { title } of failed) say(`    ${title}`);
    process.exitCode = 1;
  }
}
process.stdout.write(`${passed} / ${FAULTS.size} rows\n`);
