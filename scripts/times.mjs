// `npm run times`: how long checking, generating and building take, drawn into docs/times.md.
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runCommand } from "./measure/command.mjs";
import { describeMachine } from "./measure/machine.mjs";
import { setUp } from "./setup/set-up.mjs";
import { measureTimes } from "./times/measure.mjs";
import { timesPage } from "./times/page.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

await runCommand({
  name: "times",
  page: "times",
  usage: "npm run times takes nothing: it measures for some four minutes and draws docs/times.md",
  prepare: () => setUp(root, "start"),
  measure: async (_, step) => ({
    rows: await step("Times from drawing to running", (progress) => measureTimes(root, progress)),
    machine: { ...describeMachine(), node: process.version },
  }),
  files: (kept) => ({ "times.md": timesPage(kept) }),
});
