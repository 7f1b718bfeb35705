import { LOAD_DEFAULTS, LOAD_RANGES, type LoadSettings } from "../../contract/index.js";
import { wholeNumber } from "../verb/arguments.js";
import type { OptionSpec } from "../verb/command.js";
import { usageFailure } from "../verb/failure.js";

const RATE = "EVENTS_PER_SECOND";

/** How the load grows and when it ends, as options. */
export const SETTING_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  start: { type: "string", value: RATE, doc: `the first rate (${LOAD_DEFAULTS.start})` },
  step: {
    type: "string",
    value: RATE,
    doc: `what each step adds (${LOAD_DEFAULTS.step}); 0: a constant load`,
  },
  period: { type: "string", value: "SECONDS", doc: `how long a step lasts (${LOAD_DEFAULTS.periodS})` },
  most: { type: "string", value: RATE, doc: "end after the step that reaches this rate" },
  for: { type: "string", value: "SECONDS", doc: "end after this long" },
  recovery: {
    type: "string",
    value: "SECONDS",
    doc: `so long without recovery is the breaking point (${LOAD_DEFAULTS.recoveryS})`,
  },
  tolerance: {
    type: "string",
    value: "PERCENT",
    doc: `of a second's events that may be short or wait longer than usual (${LOAD_DEFAULTS.tolerance * 100})`,
  },
};

/** A number such as 200 or 0.5 in a range. */
function decimal(text: string, what: string, { min, max }: { min: number; max: number }): number {
  const number = /^-?\d{1,10}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max))
    throw usageFailure(
      `${what} cannot be ${JSON.stringify(text)}`,
      `It is a number such as 200 or 0.5, from ${min} to ${max}.`,
    );
  return number;
}

/** The settings of a load from its options; a usage failure for the first that is out of its range. */
export function readLoadSettings(value: (name: string) => string | undefined): LoadSettings {
  const rate = (name: "start" | "step" | "most"): number | undefined => {
    const text = value(name);
    return text === undefined ? undefined : decimal(text, `--${name}`, LOAD_RANGES[name]);
  };
  const seconds = (name: string, range: { min: number; max: number }): number | undefined => {
    const text = value(name);
    return text === undefined ? undefined : wholeNumber(text, `--${name}`, range.min, range.max);
  };
  const tolerance = value("tolerance");
  const { min, max } = LOAD_RANGES.tolerance;
  return {
    start: rate("start") ?? LOAD_DEFAULTS.start,
    step: rate("step") ?? LOAD_DEFAULTS.step,
    periodS: seconds("period", LOAD_RANGES.periodS) ?? LOAD_DEFAULTS.periodS,
    most: rate("most") ?? null,
    forS: seconds("for", LOAD_RANGES.forS) ?? null,
    recoveryS: seconds("recovery", LOAD_RANGES.recoveryS) ?? LOAD_DEFAULTS.recoveryS,
    tolerance:
      tolerance === undefined
        ? LOAD_DEFAULTS.tolerance
        : decimal(tolerance, "--tolerance", { min: min * 100, max: max * 100 }) / 100,
  };
}
