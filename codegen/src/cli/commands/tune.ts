import {
  drawnWithPoolSize,
  readPool,
  tune,
  TUNE_RANGE,
  TuneCancelled,
  type PoolReading,
  type TuneResult,
} from "../../arrange/index.js";
import { threadWords } from "../../contract/index.js";
import { suggest } from "../../model/diagnostics/index.js";
import { askBinary, type Asked } from "../binaries/askBinary.js";
import { wholeNumber } from "../verb/arguments.js";
import type { Command, Invocation } from "../verb/command.js";
import { readDrawnProject, writeDrawnProject } from "../project/drawing.js";
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

function requirePool({ schema }: Asked, pool: string): number {
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
  return found.threads.length;
}

const notFinished = ({ message }: TuneCancelled): Failure =>
  new Failure(EXIT.environment, "PS994", message, "Look at its log, and tune again.");

async function search(invocation: Invocation, asked: Asked, pool: string): Promise<TuneResult> {
  const { output, signal } = invocation;
  const before = requirePool(asked, pool);
  return tune(
    {
      binary: asked.schema.binary,
      resize: (threads) => asked.command("pool.resize", { pool, threads }),
      next: readings(asked, pool),
    },
    limitsOf(invocation),
    {
      before,
      signal,
      onStep: (threads, _, left) =>
        output.note(
          `${threadWords(threads)} (${left === 1 ? "the last step" : `${left} steps at most`} left)`,
        ),
    },
  );
}

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
    let result: TuneResult;
    try {
      result = await askBinary(running, (asked) => search(invocation, asked, pool));
    } catch (error) {
      if (!signal.aborted) throw error instanceof TuneCancelled ? notFinished(error) : error;
      output.document({ ok: false, problems: [], binary: running.binary, pool });
      output.note(`Given up: ${pool} is as it was.`);
      return EXIT.interrupted;
    }
    const { best, before, points } = result;
    if (flag("draw"))
      await writeDrawnProject(
        place.dir,
        drawnWithPoolSize(await readDrawnProject(place.dir), running.binary, pool, best.threads),
      );
    output.document({ ok: true, problems: [], binary: running.binary, pool, before, best, points });
    const back = ["set", ...positionals.slice(0, -1), "pool.resize", pool, before];
    if (value("binary") !== undefined) back.push("--binary", running.binary);
    for (const line of tuneTable(points, best.threads)) output.result(line);
    output.note(
      best.threads === before
        ? `${pool} keeps its ${threadWords(before)}.`
        : `${pool}: ${before} → ${threadWords(best.threads)}. Back: penstock ${back.join(" ")}`,
    );
    return EXIT.done;
  },
};
