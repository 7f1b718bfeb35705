import {
  bringBack,
  drawnWithPoolSize,
  poolBefore,
  readPool,
  tune,
  TUNE_RANGE,
  TuneCancelled,
  waysBack,
  type AskBinary,
  type BroughtBack,
  type PoolBefore,
  type PoolReading,
  type TuneResult,
} from "../../arrange/index.js";
import { threadWords } from "../../contract/index.js";
import { suggest } from "../../model/diagnostics/index.js";
import { askBinary, type Asked } from "../binaries/askBinary.js";
import { wholeNumber } from "../verb/arguments.js";
import type { Command, Invocation } from "../verb/command.js";
import { openDrawnProject, readDrawnProject, writeDrawnProject } from "../project/drawing.js";
import { EXIT, type ExitCode } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";
import { projectPlace } from "../project/projectArgument.js";
import { theRunningBinary } from "../binaries/runningBinaries.js";
import { tuneTable } from "../tables/tuneTable.js";

const DEFAULT = { from: 1, to: 16, seconds: 3 };

function limitsOf({ value }: Invocation): { from: number; to: number; secondsAStep: number } {
  const { threads, seconds } = TUNE_RANGE;
  const number = (name: "from" | "to" | "seconds", { min, max }: { min: number; max: number }): number =>
    wholeNumber(value(name) ?? String(DEFAULT[name]), `--${name}`, min, max);
  const [from, to] = [number("from", threads), number("to", threads)];
  if (from >= to) throw usageFailure("--from is not less than --to", "Give a range of sizes to try.");
  return { from, to, secondsAStep: number("seconds", seconds) };
}

/** The pool as it is read from one sample after the other. */
const readings = (asked: Asked, pool: string) => async (): Promise<PoolReading> => {
  for (;;) {
    const sample = await asked.nextSample();
    const reading = readPool(asked.schema, sample, pool);
    if (reading !== undefined) return reading;
  }
};

function requirePool({ schema }: Asked, pool: string): void {
  const found = schema.pools.find(({ name, threads }) => name === pool && threads.length > 0);
  const names = schema.pools.filter(({ threads }) => threads.length > 0).map(({ name }) => name);
  if (found === undefined) {
    const near = suggest(pool, names);
    throw usageFailure(
      `${schema.binary} has no pool ${JSON.stringify(pool)}`,
      near ? `Did you mean ${near}?` : `There are ${names.join(", ")}.`,
    );
  }
  if (found.cached)
    throw usageFailure(`${pool} takes threads as it needs them`, "A cached pool has no size to tune.");
}

const notFinished = ({ message }: TuneCancelled): Failure =>
  new Failure(EXIT.environment, "PS994", message, "Look at its log, and tune again.");

/** What rests once the pool is changed is told by what is drawn; where that cannot be read it may be any rule. */
async function lookAt({ schema }: Asked, pool: string, dir: string): Promise<PoolBefore> {
  const drawn = schema.rules === undefined ? undefined : await readDrawnProject(dir).catch(() => undefined);
  return poolBefore(schema, pool, drawn, schema.binary);
}

async function search(
  invocation: Invocation,
  asked: Asked,
  before: PoolBefore,
  restored: (back: BroughtBack) => void,
): Promise<TuneResult> {
  const { output, signal } = invocation;
  const { pool } = before;
  const ask: AskBinary = ({ method, params }) => asked.command(method, params as never);
  return tune(
    {
      binary: asked.schema.binary,
      resize: (threads) => asked.command("pool.resize", { pool, threads }),
      restore: async () => restored(await bringBack(ask, before)),
      next: readings(asked, pool),
    },
    limitsOf(invocation),
    {
      before: before.threads,
      signal,
      onStep: (threads, _, left) =>
        output.note(
          `${threadWords(threads)} (${left === 1 ? "the last step" : `${left} steps at most`} left)`,
        ),
    },
  );
}

/** What is said on the command line to go back, behind `penstock set`; the size that it keeps is left out. */
const wordsBack = (before: PoolBefore, best: number): string[] =>
  waysBack(before)
    .filter(({ ask }) => ask.method !== "pool.resize" || before.threads !== best)
    .map(({ ask: { method, params } }) =>
      [method, ...Object.values(params).map((value) => (value === true ? "on" : value))].join(" "),
    );

/** `penstock tune`: finds the size of a pool on the running flow. */
export const command: Command = {
  usage: "[PROJECT] POOL [--from N] [--to N] [--seconds N] [--draw] [--binary NAME]",
  doc: `Tries sizes of a pool of the running binary within limits, shows what each carries, and keeps the
fewest threads that do as much as any. Ctrl-C and refusals leave the pool as it was.`,
  positionals: { min: 1, max: 2 },
  options: {
    from: { type: "string", value: "N", doc: `threads at least (${DEFAULT.from})` },
    to: { type: "string", value: "N", doc: `threads at most (${DEFAULT.to})` },
    seconds: { type: "string", value: "N", doc: `how long each size is measured (${DEFAULT.seconds})` },
    draw: { type: "boolean", doc: "write the size into the drawing as well" },
    binary: { type: "string", value: "NAME", doc: "which binary, when several run" },
  },
  examples: ["penstock tune ads models --from 2 --to 64", "penstock tune models --draw"],
  async run(invocation): Promise<ExitCode> {
    const { positionals, value, flag, output, signal } = invocation;
    const pool = positionals.at(-1) ?? "";
    const place = projectPlace(positionals.length > 1 ? positionals[0] : undefined);
    limitsOf(invocation);
    const running = await theRunningBinary(place.dir, value("binary"));
    let found: { was: PoolBefore; result: TuneResult };
    const back: BroughtBack[] = [];
    try {
      found = await askBinary(running, async (asked) => {
        requirePool(asked, pool);
        const was = await lookAt(asked, pool, place.dir);
        return { was, result: await search(invocation, asked, was, (one) => back.push(one)) };
      });
    } catch (error) {
      if (!signal.aborted) {
        for (const { isAsBefore, words } of back) if (!isAsBefore) output.note(`${words}.`);
        throw error instanceof TuneCancelled ? notFinished(error) : error;
      }
      output.document({ ok: false, problems: [], binary: running.binary, pool });
      output.note(["Given up", ...back.map(({ words }) => words)].join(": ") + ".");
      return EXIT.interrupted;
    }
    const { best, before, points } = found.result;
    if (flag("draw")) {
      const drawn = await openDrawnProject(place.dir);
      await writeDrawnProject(drawn, drawnWithPoolSize(drawn.topology, running.binary, pool, best.threads));
    }
    output.document({ ok: true, problems: [], binary: running.binary, pool, before, best, points });
    for (const line of tuneTable(points, best.threads)) output.result(line);
    const binary = value("binary") === undefined ? [] : ["--binary", running.binary];
    const ways = wordsBack(found.was, best.threads).map((words) =>
      ["penstock set", ...positionals.slice(0, -1), words, ...binary].join(" "),
    );
    const now =
      best.threads === before
        ? `${pool} keeps its ${threadWords(before)}.`
        : `${pool}: ${before} → ${threadWords(best.threads)}.`;
    output.note(ways.length === 0 ? now : `${now} Back: ${ways.join(" && ")}`);
    return EXIT.done;
  },
};
