// `npm run check`: every fast local check, two at a time; `npm run check -- types` runs those whose name matches.
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runChecks } from "./check/run-checks.mjs";
import { takeChildrenAlong } from "./setup/child.mjs";

takeChildrenAlong();
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { failed } = await runChecks(root, process.argv.slice(2));
process.exitCode = failed === 0 ? 0 : 1;
