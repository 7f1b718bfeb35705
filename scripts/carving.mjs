// `npm run carving`: the load of docs/carving.md on the monolith, the carved service and both together, beside a service in Go;
// `-- --help` says what can be chosen. The tables go into docs/carving.md.
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { measureSystems } from "./carving/measure.mjs";
import { CARVING_OPTIONS } from "./carving/options.mjs";
import { prepareSystems } from "./carving/prepare.mjs";
import { figuresOf, figuresText, printedFigures } from "./carving/tables.mjs";
import { withFigures } from "./carving/withFigures.mjs";
import { runCommand } from "./measure/command.mjs";
import { describeMachine } from "./measure/machine.mjs";
import { setUp } from "./setup/set-up.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

await runCommand({
  ...CARVING_OPTIONS,
  name: "carving",
  page: "carving",
  async prepare(_, step) {
    await setUp(root, "start");
    return step("Building the services", (progress) => prepareSystems(root, progress));
  },
  async measure({ rounds, seconds, quietMs }, step, prepared) {
    const runs = await step("Load on each of them", (progress) =>
      measureSystems(root, prepared, { rounds, seconds, quietMs }, progress),
    );
    const { go, missing } = prepared;
    const machine = { ...describeMachine(), node: process.version, go: go?.version };
    return { runs, machine, missing, rounds, forS: seconds };
  },
  printed: printedFigures,
  figures: figuresOf,
  files: (kept) => ({
    "carving.md": withFigures(readFileSync(path.join(root, "docs", "carving.md"), "utf8"), figuresText(kept)),
  }),
  conclude: (kept) => {
    const failed = figuresOf(kept).some((row) => row.failed > 0);
    return { sound: !failed, code: failed ? 1 : 0 };
  },
});
