import { quote } from "../../model/diagnostics/index.js";
import { Cursor, docOf } from "./cursor.js";
import { IdlError } from "./error.js";
import { isForeignDefinition, skipDefinition } from "./foreign.js";
import { parseInterface } from "./parseInterface.js";
import { parseMember } from "./parseType.js";
import { definedName, type Reading } from "./reading.js";
import { Module } from "./scope.js";
import type { IdlFile, Struct } from "./syntax.js";
import { tokensOf } from "./tokens.js";

/** Modules in modules, at most. */
export const DEEPEST = 64;
/** Characters of a file, at most. */
export const LONGEST = 1 << 20;

const AT_START = { line: 1, column: 1 };
const DEFINITION = 'a "module", a "struct" or an "interface"';

/**
 * Reads a file of FORB's IDL. What other IDLs have and it has not (constants, enums, sequences ...) is left out and
 * named; whatever uses it is, too.
 * @throws {IdlError} at the first place from which reading cannot go on
 */
export function parseIdl(text: string): IdlFile {
  if (text.length > LONGEST)
    throw new IdlError(AT_START, `a file of at most ${LONGEST} characters`, String(text.length));
  const reading: Reading = { cursor: new Cursor(tokensOf(text)), file: { definitions: [], leftOut: [] } };
  const outermost = new Module([], AT_START, undefined);
  parseBody(reading, outermost);
  if (reading.cursor.next.kind !== "end") reading.cursor.fail(`${DEFINITION}, or the end of the file`);
  return reading.file;
}

/** Definitions up to a closing brace or the end, which stays there. */
function parseBody(reading: Reading, module: Module): void {
  const { cursor, file } = reading;
  for (;;) {
    const { next } = cursor;
    if (next.kind === "end" || cursor.isMark("}")) return;
    if (next.kind === "directive") {
      cursor.take();
      const [word = "#"] = next.text.split(/(?<=\S)\s/);
      file.leftOut.push({ name: word, reason: "lines for a preprocessor are not read", line: next.line });
      continue;
    }
    if (next.kind !== "name") cursor.fail(DEFINITION);
    switch (next.text.toLowerCase()) {
      case "module":
        parseModule(reading, module);
        break;
      case "struct":
        file.definitions.push(parseStruct(reading, module));
        break;
      case "interface":
        file.definitions.push(parseInterface(reading, module));
        break;
      default:
        if (!isForeignDefinition(next.text)) cursor.fail(DEFINITION);
        leaveOut(reading, module);
    }
  }
}

/** A definition of another IDL. */
function leaveOut({ cursor, file }: Reading, module: Module): void {
  const { text, line, column } = cursor.next;
  const name = skipDefinition(cursor);
  file.leftOut.push({ name: module.nameOf(name), reason: `FORB's IDL has no ${quote(text)}`, line });
  module.define(name, { kind: "absent", place: { line, column } });
}

function parseModule(reading: Reading, outer: Module): void {
  const { cursor } = reading;
  const { line, column } = cursor.take();
  const name = cursor.name("the name of a module");
  if (outer.path.length === DEEPEST)
    throw new IdlError({ line, column }, `at most ${DEEPEST} modules in one another`, "one more");
  const module = outer.open(name.text, name);
  cursor.expect("{");
  parseBody(reading, module);
  cursor.expect("}", `${DEFINITION}, or "}"`);
  cursor.takeIf(";");
}

function parseStruct({ cursor, file }: Reading, module: Module): Struct {
  const above = cursor.above();
  cursor.take();
  const name = definedName(cursor, "a struct");
  cursor.expect("{");
  const struct: Struct = {
    kind: "struct",
    path: [...module.path, name.text],
    members: [],
    place: { line: name.line, column: name.column },
    ...docOf(above, cursor.behind()),
  };
  const names = new Set<string>();
  while (!cursor.takeIf("}")) {
    const member = parseMember(cursor, module, names, 'the type of a member, or "}"');
    cursor.expect(";");
    if ("absent" in member)
      file.leftOut.push({
        name: `${struct.path.join("::")}::${member.name}`,
        reason: member.absent,
        line: member.place.line,
      });
    else struct.members.push({ ...member, ...docOf(member.doc, cursor.behind()) });
  }
  cursor.expect(";");
  module.define(name.text, struct);
  return struct;
}
