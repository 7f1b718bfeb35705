import { accessSync, constants, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { takeChildrenAlong } from "../setup/child.mjs";
import { replaceFile } from "../setup/replace-file.mjs";
import { beginStep, good, Obstacle, say, seconds } from "../setup/report.mjs";
import { explain } from "../setup/set-up.mjs";
import { loadAverage } from "./quiet.mjs";

/**
 * A command that measures (bench, carving, experiments, times). `name` of its npm script, `page` of its page in docs, `usage`.
 * `options` are its own, as parseArgs has them; without, it takes nothing but --help. `read(values)` gives what
 * it makes of them, and whether that is the `whole` of what the page shows; `parts` are those that make it less.
 * `prepare(asked, step)` sets up and builds; `measure(asked, step, prepared)` gives what is kept of the run.
 * Of that are `printed(kept)` for the terminal, `figures(kept)` for --json, `files(kept)` by their names in docs,
 * and `conclude(kept)`: whether the page may be drawn of it (`sound`), and the `code` to end with.
 */

const flag = { type: "boolean", default: false };

/** npm runs scripts in the package's folder; a relative file is meant from where the person is. */
export const fromTheirs = (file) => path.resolve(process.env.INIT_CWD ?? process.cwd(), file);

/** A file that can be written once everything is measured: better said now than in ten minutes. */
function writableFile(text) {
  const file = fromTheirs(text);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`--json cannot write ${file}: it is a folder`);
  try {
    accessSync(path.dirname(file), constants.W_OK | constants.X_OK);
  } catch {
    throw new Error(`--json cannot write ${file}: its folder is missing or read-only`);
  }
  return file;
}

/** What is asked of a command. @throws {Error} with words for people when an argument is wrong */
export function askedOf({ options, parts, read }, args) {
  const shared = options && { json: { type: "string" }, docs: flag, redraw: flag };
  const { values } = parseArgs({ args, options: { ...shared, ...options, help: flag } });
  const { whole, ...own } = read?.(values) ?? { whole: true };
  if (values.docs && !whole) throw new Error(`--docs needs a run of everything, without ${parts}`);
  if (values.redraw && args.some((arg) => !["--redraw", "--help"].includes(arg)))
    throw new Error("--redraw measures nothing: it goes with no other option");
  return {
    ...own,
    whole,
    help: values.help,
    redraw: values.redraw === true,
    json: values.json === undefined ? undefined : writableFile(values.json),
    docs: whole && (values.docs || values.json === undefined),
  };
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

async function step(title, work) {
  const running = beginStep(title);
  try {
    const result = await work((text) => running.progress(text));
    running.done();
    return result;
  } catch (error) {
    running.failed();
    throw error;
  }
}

async function measured(command, asked) {
  const prepared = await command.prepare(asked, step);
  const [date, before, begun] = [new Date().toISOString(), loadAverage(), performance.now()];
  const found = await command.measure(asked, step, prepared);
  const took = Math.round((performance.now() - begun) / 1000);
  return { date, load: { before, after: loadAverage() }, seconds: took, ...found };
}

/** Draws the page and its pictures; pictures that are no more go too. */
function draw(root, { page, files }, kept) {
  rmSync(path.join(root, "docs", "images", page), { recursive: true, force: true });
  for (const [name, text] of Object.entries(files(kept))) replaceFile(path.join(root, "docs", name), text);
  good(`docs/${page}.md is drawn anew`);
}

/** The last run of everything, which the build folder keeps for --redraw. @throws {Obstacle} when there was none */
function keptRun(file, { name }) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Obstacle(`no run of everything is kept: ${error.message}`, `npm run ${name}`);
  }
}

async function carryOut(root, command, asked) {
  const keptFile = path.join(root, "build", command.name, "results.json");
  if (asked.redraw) {
    draw(root, command, keptRun(keptFile, command));
    return 0;
  }
  const kept = await measured(command, asked);
  if (command.printed) process.stdout.write(`${command.printed(kept)}\n`);
  if (asked.whole) replaceFile(keptFile, json(kept));
  if (asked.json !== undefined) replaceFile(asked.json, json(command.figures(kept)));
  const { sound, code } = command.conclude?.(kept) ?? { sound: true, code: 0 };
  if (asked.docs && sound) draw(root, command, kept);
  say(`All of it took ${seconds(0)}.`);
  return code;
}

/** Does what the command line asks of a command, and ends with its code: 2 is wrong usage, 3 what a person must change. */
export async function runCommand(command) {
  let asked;
  try {
    asked = askedOf(command, process.argv.slice(2));
  } catch (error) {
    say(`${error.message}\n\n${command.usage}`);
    process.exit(2);
  }
  if (asked.help) {
    process.stdout.write(`${command.usage}\n`);
    process.exit(0);
  }
  takeChildrenAlong();
  const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
  try {
    process.exitCode = await carryOut(root, command, asked);
  } catch (error) {
    process.exit(explain(error));
  }
}
