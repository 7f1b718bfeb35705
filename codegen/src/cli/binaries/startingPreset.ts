import { arrange, differenceWords, findPreset, presetsOf } from "../../arrange/index.js";
import { suggest, type Problem } from "../../model/diagnostics/index.js";
import type { Topology } from "../../model/topology/index.js";
import { askBinary, type Reached } from "./askBinary.js";
import { Failure, usageFailure } from "../verb/failure.js";

/** Refuses a preset that none of the binaries has, naming those there are. */
export function requirePreset(topology: Topology, binaries: readonly string[], name: string): void {
  if (binaries.some((binary) => findPreset(topology, binary, name) !== undefined)) return;
  const names = [
    ...new Set(binaries.flatMap((binary) => presetsOf(topology, binary).map((preset) => preset.name))),
  ];
  const near = suggest(name, names);
  throw usageFailure(
    `there is no preset ${JSON.stringify(name)}`,
    near !== undefined
      ? `Did you mean ${near}?`
      : names.length > 0
        ? `There are ${names.join(", ")}.`
        : "`penstock preset save NAME` saves how a binary runs.",
  );
}

/**
 * Brings a preset into force in a binary that is ready. Resolves with what it changed, in words, or with the
 * problem when it was refused; a binary without that preset is left as it is drawn.
 */
export async function startWithPreset(
  topology: Topology,
  started: Reached,
  name: string,
): Promise<{ changes: string[] } | { problem: Problem }> {
  const preset = findPreset(topology, started.binary, name);
  if (preset === undefined) return { changes: [] };
  try {
    const changed = await askBinary(started, ({ schema, command }) =>
      arrange(({ method, params }) => command(method, params), schema, preset),
    );
    return { changes: changed.map(differenceWords) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { problem: error.toProblem() };
  }
}
