import { quote } from "../../model/diagnostics/index.js";
import { docOf, type Cursor } from "./cursor.js";
import { IdlError } from "./error.js";
import { isForeignDefinition, skipDefinition, skipTo } from "./foreign.js";
import { parseMember, parseType, type Absent } from "./parseType.js";
import { definedName, type Reading } from "./reading.js";
import type { Module } from "./scope.js";
import { signatureOf, DIRECTIONS, type Interface, type Operation, type Parameter } from "./syntax.js";

const OPERATION = 'the type that an operation returns, or "}"';

export function parseInterface(reading: Reading, module: Module): Interface {
  const { cursor } = reading;
  const above = cursor.above();
  cursor.take();
  const name = definedName(cursor, "an interface");
  const path = [...module.path, name.text];
  if (cursor.isMark(":")) leaveOutTo(reading, path.join("::"), "FORB's interfaces extend no other", "{");
  cursor.expect("{");
  const made: Interface = {
    kind: "interface",
    path,
    operations: [],
    place: { line: name.line, column: name.column },
    ...docOf(above, cursor.behind()),
  };
  module.define(name.text, made);
  const known = new Map<string, Operation>();
  while (!cursor.takeIf("}")) {
    const { text, line } = cursor.next;
    if (module.find([text]) === undefined && isForeignDefinition(text)) {
      const left = skipDefinition(cursor);
      leave(reading, `${path.join("::")}::${left}`, `FORB's IDL has no ${quote(text)}`, line);
      continue;
    }
    const operation = parseOperation(reading, module, path);
    if (operation === undefined) continue;
    const signature = signatureOf(operation);
    const other = known.get(signature);
    if (other !== undefined)
      throw new IdlError(
        operation.place,
        "an operation with other parameters",
        `${quote(signature)}, which is there at line ${other.place.line}`,
      );
    known.set(signature, operation);
    made.operations.push(operation);
  }
  cursor.expect(";");
  return made;
}

function leave({ file }: Reading, name: string, reason: string, line: number): void {
  file.leftOut.push({ name, reason, line });
}

/** Takes words up to a mark. */
function leaveOutTo(reading: Reading, name: string, reason: string, mark: string): void {
  leave(reading, name, reason, reading.cursor.next.line);
  skipTo(reading.cursor, [mark]);
}

/** Undefined: it uses what FORB's IDL has not, and is left out. */
function parseOperation(reading: Reading, module: Module, path: readonly string[]): Operation | undefined {
  const { cursor } = reading;
  const above = cursor.above();
  const oneway =
    cursor.next.text === "oneway" && module.find(["oneway"]) === undefined ? cursor.take() : undefined;
  const returns = parseReturned(cursor, module);
  const { text: name, line, column } = cursor.name("the name of an operation");
  cursor.expect("(");
  const parameters = parseParameters(cursor, module);
  const whole = [...path, name].join("::");
  if (oneway !== undefined) leave(reading, whole, 'FORB\'s IDL has no "oneway"', oneway.line);
  if (["raises", "context"].includes(cursor.next.text))
    leaveOutTo(reading, whole, `FORB's IDL has no ${quote(cursor.next.text)}`, ";");
  cursor.expect(";");
  const doc = docOf(above, cursor.behind());
  const absent = absentOf(returns) ?? parameters.map(absentOf).find((why) => why !== undefined);
  if (absent !== undefined) {
    leave(reading, whole, absent, line);
    return undefined;
  }
  return {
    name,
    returns: returns as Operation["returns"],
    parameters: parameters as Parameter[],
    place: { line, column },
    ...doc,
  };
}

const absentOf = (part: unknown): string | undefined =>
  typeof part === "object" && part !== null && "absent" in part ? (part as Absent).absent : undefined;

function parseReturned(cursor: Cursor, module: Module): Operation["returns"] | Absent {
  if (cursor.next.text !== "void") return parseType(cursor, module, OPERATION);
  cursor.take();
  return undefined;
}

function parseParameters(cursor: Cursor, module: Module): (Parameter | Absent)[] {
  const parameters: (Parameter | Absent)[] = [];
  const names = new Set<string>();
  if (cursor.takeIf(")")) return parameters;
  for (;;) {
    const above = cursor.above();
    const direction = parseDirection(cursor);
    const member = parseMember(cursor, module, names, "the type of a parameter");
    const isLast = cursor.takeIf(")");
    if (!isLast) cursor.expect(",", '"," or ")"');
    parameters.push(
      "absent" in member
        ? member
        : { ...member, direction, ...docOf(above, member.doc, isLast ? undefined : cursor.behind()) },
    );
    if (isLast) return parameters;
  }
}

function parseDirection(cursor: Cursor): Parameter["direction"] {
  const direction = DIRECTIONS.find((one) => one === cursor.next.text.toLowerCase());
  if (direction === undefined) cursor.fail('"in", "out" or "inout"');
  cursor.take();
  return direction;
}
