import type { EnumType, Field, Message } from "@penstock/codegen/topology";

const NUMBERS = new Set("int32 int64 uint32 uint64 float double".split(" "));

/** What somebody typed for a list of choices, as values of the field's type; what is none of it stays text. */
export const typedChoices = (text: string, field: Field | undefined): (string | number | boolean)[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean)
    .map((word) => {
      if (field !== undefined && NUMBERS.has(field.type))
        return Number.isFinite(Number(word)) ? Number(word) : word;
      return field?.type === "bool" && (word === "true" || word === "false") ? word === "true" : word;
    });

/** Choices to begin with. */
export function firstChoices(
  field: Field | undefined,
  enums: readonly EnumType[],
): (string | number | boolean)[] {
  if (field !== undefined && NUMBERS.has(field.type)) return [0, 1];
  if (field?.type === "bool") return [true, false];
  return enums.find(({ name }) => name === field?.type)?.values.map(({ name }) => name) ?? ["a", "b"];
}

/** How a field of its type can be made, to begin with: only C++ makes several values, bytes or a message. */
export function firstGenerator(
  field: Field | undefined,
  enums: readonly EnumType[],
): Record<string, unknown> {
  const isOne = field !== undefined && field.repeated !== true && field.length === undefined;
  if (isOne && NUMBERS.has(field.type)) return { uniform: [0, 100] };
  const hasChoices =
    ["bool", "string"].includes(field?.type ?? "") || enums.some(({ name }) => name === field?.type);
  return isOne && hasChoices ? { choice: firstChoices(field, enums) } : { expression: "{}" };
}

/** Types that are no messages. */
const PLAIN = new Set("bool int32 int64 uint32 uint64 float double string bytes buffer".split(" "));

/** Fields that fit, for a choice; the rules have the last word. */
export const fieldNames = (message: Message | undefined, types: readonly string[] | undefined): string[] =>
  (message?.fields ?? [])
    .filter(
      ({ type, repeated, length, key }) =>
        types?.[0] === "any" ||
        (repeated &&
          key === undefined &&
          length === undefined &&
          types?.includes("list-of-message") &&
          !PLAIN.has(type)) ||
        (!repeated &&
          length === undefined &&
          (types === undefined ||
            types.includes(type) ||
            types.includes("enum") ||
            types.includes("message"))),
    )
    .map(({ name }) => name);
