import {
  NotReadable,
  nothingDescribed,
  type Described,
  type ReadDescription,
  refuseNoText,
} from "../described/described.js";
import { fieldOf } from "./fields.js";
import { IdlError } from "./error.js";
import { docWith, nameOf } from "./names.js";
import { addInterface } from "./operations.js";
import { parseIdl } from "./parseIdl.js";
import type { IdlFile, Struct } from "./syntax.js";

/**
 * Reads FORB's IDL: a struct becomes a message, an interface a bundle, each of its operations a service. Names of
 * modules go in front of the names in them, and stay in their docs as they were.
 */
export const readIdl: ReadDescription = ({ file, text }) => {
  const { definitions, leftOut } = parsed(file, text);
  const described = nothingDescribed();
  described.leftOut = leftOut.map((left) => ({ ...left, file }));
  for (const definition of definitions)
    if (definition.kind === "struct") addStruct(described, definition);
    else addInterface(described, definition);
  // An inout is in two messages.
  described.notes = [...new Set(described.notes)];
  return described;
};

function parsed(file: string, text: string): IdlFile {
  refuseNoText(file, text);
  try {
    return parseIdl(text);
  } catch (error) {
    if (!(error instanceof IdlError)) throw error;
    throw new NotReadable(`column ${error.column}: ${error.message}`, file, error.line);
  }
}

function addStruct(described: Described, struct: Struct): void {
  const from = struct.path.join("::");
  const name = nameOf(struct.path);
  const fields = struct.members.map((member, at) => fieldOf(described, from, member, at + 1));
  const item = { name, fields, ...docWith(struct.doc, from, name) };
  described.messages.push({ from, scope: "", item, line: struct.place.line });
}
