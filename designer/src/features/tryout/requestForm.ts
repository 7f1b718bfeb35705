import {
  FAILURE,
  FAILURE_MESSAGE,
  SCALAR_TYPES,
  type Field,
  type Message,
  type Topology,
} from "@penstock/codegen/topology";

/** What is typed for each field; nothing typed leaves the field out. */
export type Typed = Readonly<Record<string, string>>;

/** How a field is typed: one value on a line, one of a few, or JSON where it has parts. */
export type FieldForm =
  | { name: string; how: "text" | "number" | "json"; hint: string }
  | { name: string; how: "choice"; hint: string; choices: readonly string[] };

const TEXTS: readonly string[] = ["string", "bytes", "buffer"];
const isScalar = (type: string): boolean => (SCALAR_TYPES as readonly string[]).includes(type);

export const requestMessage = (topology: Topology, name: string): Message | undefined =>
  name === FAILURE ? FAILURE_MESSAGE : topology.messages.find((message) => message.name === name);

/** The form of a message's fields. */
export const formOf = (topology: Topology, message: Message): FieldForm[] =>
  message.fields.map((field) => fieldForm(topology, field));

function fieldForm(topology: Topology, { name, type, repeated, length, key, oneof }: Field): FieldForm {
  const many = key !== undefined ? `${key} → ${type}` : repeated ? `list of ${type}` : type;
  const alone = length === undefined ? many : `${length} × ${type}`;
  const hint = oneof === undefined ? alone : `${alone}, one of ${oneof}`;
  const drawnEnum = topology.enums.find((item) => item.name === type);
  if (repeated || length !== undefined || !(isScalar(type) || drawnEnum)) return { name, how: "json", hint };
  if (drawnEnum) return { name, how: "choice", hint, choices: drawnEnum.values.map((value) => value.name) };
  if (type === "bool") return { name, how: "choice", hint, choices: ["true", "false"] };
  if (TEXTS.includes(type))
    return { name, how: "text", hint: type === "string" ? hint : `${hint} in base64` };
  return { name, how: "number", hint };
}

/** A number as JSON writes it; anything else is for the binary to judge: "NaN", 64 bits as a text. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function jsonOf(form: FieldForm, text: string): string {
  if (form.how === "json") {
    JSON.parse(text);
    return text.trim();
  }
  if (form.how === "number" && NUMBER.test(text.trim())) return text.trim();
  if (form.how === "choice" && (text === "true" || text === "false") && /^bool\b/.test(form.hint))
    return text;
  return JSON.stringify(form.how === "text" ? text : text.trim());
}

/** The request as JSON text; or the field that is no JSON, and why. */
export function toRequest(
  forms: readonly FieldForm[],
  typed: Typed,
): { request: string } | { field: string; reason: string } {
  const members: string[] = [];
  for (const form of forms) {
    const text = typed[form.name] ?? "";
    if (text.trim() === "" && (form.how !== "text" || text === "")) continue;
    try {
      members.push(`${JSON.stringify(form.name)}: ${jsonOf(form, text)}`);
    } catch (error) {
      return { field: form.name, reason: (error as Error).message };
    }
  }
  return { request: `{${members.join(", ")}}` };
}

const TEXTS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const KEPT_NUMBER = /"\\u0000([^"]*)"/g;

/** Reads JSON with its numbers as texts behind a NUL: JavaScript rounds those of 64 bits. */
const readExactly = (text: string): unknown =>
  JSON.parse(text.replace(TEXTS_AND_NUMBERS, (word) => (word.startsWith('"') ? word : `"\\u0000${word}"`)));
const writeExactly = (value: unknown): string => JSON.stringify(value).replace(KEPT_NUMBER, "$1");

/** What would have to be typed for a request that was sent before; fields that are gone are left out. */
export function fromRequest(forms: readonly FieldForm[], request: string): Typed {
  let read: unknown;
  try {
    read = readExactly(request);
  } catch {
    return {};
  }
  const members = new Map(Object.entries((read ?? {}) as Record<string, unknown>));
  return Object.fromEntries(
    forms.flatMap(({ name, how }) => {
      const value = members.get(name);
      if (value === undefined) return [];
      const isText = how !== "json" && typeof value === "string" && !value.startsWith("\0");
      return [[name, isText ? value : writeExactly(value)]];
    }),
  );
}
