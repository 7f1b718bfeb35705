import { quote, quoteList } from "../../diagnostics/index.js";
import { GREATEST_INT32, LEAST_INT32, type Field, type TopologyIndex } from "../../topology/index.js";
import { expressionFault } from "./expressionFault.js";

const WAYS = ["uniform", "choice", "sequence", "expression"] as const;
const MOST_CHOICES = 1000;
const WHOLE: Readonly<Record<string, readonly [least: number, greatest: number]>> = {
  int32: [LEAST_INT32, GREATEST_INT32],
  uint32: [0, 2 ** 32 - 1],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint64: [0, Number.MAX_SAFE_INTEGER],
};

/** What is wrong with a way to make values, and where in it. */
export interface GeneratorFault {
  code: "not-a-generator" | "misfit" | "expression";
  inner: (string | number)[];
  message: string;
}

/**
 * Checks how the values of a field are made: `{"uniform": [a, b]}` (both included for whole numbers),
 * `{"choice": [...]}`, `{"sequence": start}`, or `{"expression": "C++"}`.
 */
export function generatorFault(
  generator: unknown,
  field: Field,
  index: TopologyIndex,
): GeneratorFault | undefined {
  const entries =
    typeof generator === "object" && generator !== null && !Array.isArray(generator)
      ? Object.entries(generator)
      : [];
  const [way, value] = entries[0] ?? ["", undefined];
  const fault = (message: string, inner: (string | number)[] = [way]): GeneratorFault => ({
    code: "misfit",
    inner,
    message: `${quote(field.name)} ${message}`,
  });
  if (entries.length !== 1 || !WAYS.some((known) => known === way))
    return { ...fault(`is made in exactly one way: ${quoteList(WAYS)}`, []), code: "not-a-generator" };
  if (way === "expression") {
    const message = typeof value === "string" ? expressionFault(value) : "is no text";
    return message === undefined
      ? undefined
      : { code: "expression", inner: [way], message: `The expression of ${quote(field.name)} ${message}` };
  }
  if (field.repeated === true || field.length !== undefined)
    return fault("holds several values, which only an expression can make");
  const whole = Object.hasOwn(WHOLE, field.type) ? WHOLE[field.type] : undefined;
  if (way === "sequence") {
    if (whole === undefined) return fault(`is of type ${quote(field.type)}, which does not count`);
    return isWhole(value, whole) ? undefined : fault("counts from a whole number of its type");
  }
  const choices = Array.isArray(value) ? (value as unknown[]) : [];
  if (way === "choice") {
    if (choices.length === 0 || choices.length > MOST_CHOICES)
      return fault(`has a list of 1 to ${MOST_CHOICES} choices`);
    const at = choices.findIndex((choice) => !holds(field.type, choice, index));
    return at < 0 ? undefined : fault(`cannot be ${JSON.stringify(choices[at])}`, [way, at]);
  }
  const real = field.type === "float" || field.type === "double";
  if (whole === undefined && !real) return fault(`is of type ${quote(field.type)}, which has no range`);
  const [least, greatest] = choices;
  const fits = (bound: unknown): bound is number => holds(field.type, bound, index);
  if (choices.length !== 2 || !fits(least) || !fits(greatest) || least > greatest)
    return fault("has a range of two numbers of its type, the least first");
  // C++ draws from the width of the range.
  return whole !== undefined || fits(greatest - least)
    ? undefined
    : fault("has a range that is wider than its type's greatest number");
}

function holds(type: string, value: unknown, index: TopologyIndex): boolean {
  if (Object.hasOwn(WHOLE, type)) return isWhole(value, WHOLE[type]!);
  if (type === "double") return Number.isFinite(value);
  // Beyond what a float holds C++ has infinity.
  if (type === "float") return typeof value === "number" && Number.isFinite(Math.fround(value));
  if (type === "bool") return typeof value === "boolean";
  if (type === "string") return typeof value === "string";
  return index.enums.get(type)?.item.values.some(({ name }) => name === value) ?? false;
}

const isWhole = (value: unknown, [least, greatest]: readonly [number, number]): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= greatest;
