import {
  arrange,
  drawnThreadLayout,
  threadLayoutOf,
  differences,
  differencesDrawn,
  differenceWords,
  drawnAs,
  findPreset,
  presetsOf,
  removePreset,
  savePreset,
  type ThreadLayout,
} from "../../arrange/index.js";
import { suggest } from "../../model/diagnostics/index.js";
import type { Preset, Topology } from "../../model/topology/index.js";
import { nameFault } from "../../model/validate/index.js";
import { askBinary } from "../binaries/askBinary.js";
import type { Command, Invocation } from "../verb/command.js";
import {
  openDrawnProject,
  requireDrawnBinary,
  writeDrawnProject,
  type DrawnProject,
} from "../project/drawing.js";
import { EXIT, type ExitCode } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";
import { projectPlace } from "../project/projectArgument.js";
import { runningBinaries, theRunningBinary } from "../binaries/runningBinaries.js";

const ACTIONS = {
  list: "[PROJECT]",
  save: "[PROJECT] NAME [--force]",
  apply: "[PROJECT] NAME",
  diff: "[PROJECT] NAME [--with OTHER]",
  draw: "[PROJECT] NAME",
  remove: "[PROJECT] NAME",
} as const;
type Action = keyof typeof ACTIONS;
/** Options of one action alone. */
const OPTION_OF: Readonly<Record<string, Action>> = { with: "diff", force: "save" };
const isAction = (word: string): word is Action => Object.hasOwn(ACTIONS, word);

interface Asked {
  invocation: Invocation;
  drawn: DrawnProject;
  name: string;
}

function readWords([first = "", ...words]: readonly string[]): { action: Action; words: readonly string[] } {
  const actions = Object.keys(ACTIONS);
  if (!isAction(first)) {
    const near = suggest(first, actions);
    throw usageFailure(
      `there is no preset action ${JSON.stringify(first)}`,
      near === undefined ? `There are ${actions.join(", ")}.` : `Did you mean ${near}?`,
    );
  }
  const [least, most] = first === "list" ? [0, 1] : [1, 2];
  if (words.length < least || words.length > most)
    throw usageFailure(
      `preset ${first} is given ${words.length} ${words.length === 1 ? "argument" : "arguments"}`,
      `Usage: penstock preset ${first} ${ACTIONS[first]}`,
    );
  return { action: first, words };
}

/** An option that the action does not heed would seem to work. */
function refuseOptionsOfOthers(action: Action, { value, flag }: Invocation): void {
  for (const [option, of] of Object.entries(OPTION_OF))
    if (of !== action && (flag(option) || value(option) !== undefined))
      throw usageFailure(
        `preset ${action} has no option --${option}`,
        `It belongs to \`penstock preset ${of}\`. Usage: penstock preset ${action} ${ACTIONS[action]}`,
      );
}

/** The binary whose presets are meant: the one named, the only one drawn, or the only one that runs. */
async function theBinary({ invocation, drawn: { dir, topology } }: Asked): Promise<string> {
  const asked = invocation.value("binary");
  const names = topology.binaries.map(({ name }) => name);
  if (asked !== undefined) {
    requireDrawnBinary(topology, asked);
    return asked;
  }
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return only;
  const [running, ...more] = await runningBinaries(dir);
  if (running !== undefined && more.length === 0) return running.binary;
  throw usageFailure("the project has several binaries", `Choose one with --binary: ${names.join(", ")}.`);
}

/** A preset by name; a failure that names the others when it is not there. */
function thePreset(topology: Topology, binary: string, name: string): Preset {
  const found = findPreset(topology, binary, name);
  if (found !== undefined) return found;
  const names = presetsOf(topology, binary).map((preset) => preset.name);
  const near = suggest(name, names);
  throw usageFailure(
    `${binary} has no preset ${JSON.stringify(name)}`,
    near !== undefined
      ? `Did you mean ${near}?`
      : names.length > 0
        ? `There are ${names.join(", ")}.`
        : "`penstock preset save NAME` saves how it runs.",
  );
}

const words = ({ pools, joins }: ThreadLayout): string => {
  const sizes = pools.map(({ name, threads }) => `${name} ${threads.length}`).join(", ");
  const own = joins.flatMap(({ stage, join }) =>
    join === undefined || "pool" in join
      ? []
      : [`${stage} ${join.threads === "cached" ? "cached" : join.threads}`],
  );
  return [sizes, ...(own.length > 0 ? [`own threads: ${own.join(", ")}`] : [])].filter(Boolean).join("; ");
};

async function list({ invocation: { output, value }, drawn: { topology } }: Asked): Promise<ExitCode> {
  const only = value("binary");
  if (only !== undefined) requireDrawnBinary(topology, only);
  const binaries = topology.binaries.filter(({ name }) => only === undefined || name === only);
  const presets = binaries.flatMap(({ name: binary, presets: own = [] }) =>
    own.map(({ name, pools, joins }) => ({ binary, name, pools, joins })),
  );
  output.document({ ok: true, problems: [], presets });
  for (const { binary, name, pools, joins } of presets)
    output.result(`${binary} ${name}: ${words({ pools, joins })}`);
  if (presets.length === 0)
    output.note("No preset yet: `penstock preset save NAME` saves how a binary runs.");
  return EXIT.done;
}

async function save({ invocation, drawn: { dir }, name }: Asked): Promise<ExitCode> {
  const { output, value, flag } = invocation;
  const fault = nameFault("preset", name);
  if (fault !== undefined)
    throw new Failure(
      EXIT.usage,
      fault.code,
      fault.message,
      `Use another name, for example ${fault.suggestion}.`,
    );
  const running = await theRunningBinary(dir, value("binary"));
  const { binary } = running;
  const threadLayout = await askBinary(running, async ({ schema }) => threadLayoutOf(schema));
  const drawn = await openDrawnProject(dir);
  const { topology } = drawn;
  if (findPreset(topology, binary, name) !== undefined && !flag("force"))
    throw usageFailure(
      `${binary} has a preset ${name} already`,
      "Use another name, or --force to save over it.",
    );
  const saved = savePreset(topology, binary, name, threadLayout);
  await writeDrawnProject(drawn, saved);
  const { pools, joins } = thePreset(saved, binary, name);
  output.document({ ok: true, problems: [], binary, name, pools, joins });
  output.result(`saved ${name} of ${binary}: ${words({ pools, joins })}`);
  return EXIT.done;
}

async function apply(asked: Asked): Promise<ExitCode> {
  const { invocation, drawn, name } = asked;
  const running = await theRunningBinary(drawn.dir, invocation.value("binary"));
  const preset = thePreset(drawn.topology, running.binary, name);
  const changed = await askBinary(running, ({ schema, command: ask }) =>
    arrange(({ method, params }) => ask(method, params), schema, preset),
  );
  const changes = changed.map(differenceWords);
  invocation.output.document({ ok: true, problems: [], binary: running.binary, name, changes });
  for (const change of changes) invocation.output.result(change);
  invocation.output.note(
    changes.length === 0
      ? `${running.binary} runs like ${name} already.`
      : `${name} is in force in ${running.binary}.`,
  );
  return EXIT.done;
}

/** What a preset is compared with, and what that is called. */
async function baseOf(
  { invocation, drawn: { dir, topology } }: Asked,
  of: string,
): Promise<{ from: ThreadLayout; what: string }> {
  const other = invocation.value("with");
  if (other !== undefined) return { from: thePreset(topology, of, other), what: other };
  const running = (await runningBinaries(dir)).find(({ binary }) => binary === of);
  if (running !== undefined)
    return {
      from: await askBinary(running, async ({ schema }) => threadLayoutOf(schema)),
      what: "what runs",
    };
  const binary = topology.binaries.find((one) => one.name === of);
  return {
    from: binary ? drawnThreadLayout(topology, binary) : { pools: [], joins: [] },
    what: "the drawing",
  };
}

async function diff(asked: Asked): Promise<ExitCode> {
  const { invocation, drawn, name } = asked;
  const { topology } = drawn;
  const binary = await theBinary(asked);
  const preset = thePreset(topology, binary, name);
  const { from, what } = await baseOf(asked, binary);
  const different = differences(from, preset);
  const changes = different.map(differenceWords);
  invocation.output.document({
    ok: true,
    problems: [],
    binary,
    from: what,
    to: name,
    changes,
    differences: different,
  });
  for (const change of changes) invocation.output.result(change);
  if (changes.length === 0) invocation.output.note(`${name} is the same as ${what}.`);
  else invocation.output.note(`From ${what} to ${name}.`);
  return EXIT.done;
}

async function draw(asked: Asked): Promise<ExitCode> {
  const { invocation, drawn, name } = asked;
  const { topology } = drawn;
  const binary = await theBinary(asked);
  const preset = thePreset(topology, binary, name);
  const changes = differencesDrawn(topology, binary, preset).map(differenceWords);
  if (changes.length > 0) await writeDrawnProject(drawn, drawnAs(topology, binary, preset));
  invocation.output.document({ ok: true, problems: [], binary, name, changes });
  for (const change of changes) invocation.output.result(change);
  invocation.output.note(changes.length === 0 ? `Drawn like ${name} already.` : `${name} is drawn.`);
  return EXIT.done;
}

async function remove(asked: Asked): Promise<ExitCode> {
  const { invocation, drawn, name } = asked;
  const { topology } = drawn;
  const binary = await theBinary(asked);
  thePreset(topology, binary, name);
  await writeDrawnProject(drawn, removePreset(topology, binary, name));
  invocation.output.document({ ok: true, problems: [], binary, name });
  invocation.output.result(`removed ${name} of ${binary}`);
  return EXIT.done;
}

const PERFORM: Record<Action, (asked: Asked) => Promise<ExitCode>> = {
  list,
  save,
  apply,
  diff,
  draw,
  remove,
};

/** `penstock preset`: pools and joins of a running binary under a name. */
export const command: Command = {
  usage: "ACTION [PROJECT] [NAME] [--binary NAME]",
  doc: `Keeps how the threads of a running binary are laid out (pools, pins, joins) under a name in
topology.json, and brings it back. Actions:
  list [PROJECT]                      what is saved
  save [PROJECT] NAME [--force]       saves what runs
  apply [PROJECT] NAME                brings it into force in what runs, all or nothing
  diff [PROJECT] NAME [--with OTHER]  what it would change: of another preset, of what runs, else of the drawing
  draw [PROJECT] NAME                 makes it the drawn pools and joins
  remove [PROJECT] NAME`,
  positionals: { min: 1, max: 3 },
  options: {
    binary: { type: "string", value: "NAME", doc: "which binary, when there are several" },
    with: { type: "string", value: "OTHER", doc: "diff: the preset to compare with" },
    force: { type: "boolean", doc: "save: over a preset of that name" },
  },
  examples: [
    "penstock preset save ads night",
    "penstock preset diff ads night --with day",
    "penstock preset apply ads night",
    "penstock run ads --preset night",
  ],
  async run(invocation) {
    const { action, words: args } = readWords(invocation.positionals);
    refuseOptionsOfOthers(action, invocation);
    const takesName = action !== "list";
    const name = takesName ? (args.at(-1) ?? "") : "";
    const place = projectPlace(args.length > (takesName ? 1 : 0) ? args[0] : undefined);
    return PERFORM[action]({ invocation, drawn: await openDrawnProject(place.dir), name });
  },
};
