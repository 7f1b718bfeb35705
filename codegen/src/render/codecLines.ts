import type { FieldPlan } from "../plan/index.js";
import { fitArguments } from "./fitLine.js";

/** The lines of a codec that are about one field. */
export interface CodecLines {
  sizeLines: string;
  writeLines: string;
  readLines: string;
  jsonReadLines: string;
  jsonWriteLines: string;
}

/** Of a oneof the member drawn last is what is sent, should several have a value. */
const unlessLater = (later: readonly string[], statement: string): string =>
  later.length === 0
    ? `  ${statement}`
    : `${fitArguments("  if (none(", later.map(member), ")) {")}\n    ${statement}\n  }`;

const member = (name: string): string => `message.${name}`;

export function codecLines(field: FieldPlan): CodecLines {
  const { name, tag, isMap, isUnpacked, isBytes, oneof, later, others, codecArguments, length } = field;
  const unpacked = isUnpacked ? "_unpacked" : "";
  const size = `codec::${isMap ? "map_size" : `size${unpacked}`}${codecArguments}`;
  const write = `codec::write${isMap ? "_map" : unpacked}${codecArguments}`;
  const read = isMap ? "read_map" : oneof === "" ? "read" : "read_one";
  const readArguments = ["in", member(name), ...(length > 0 ? [`seen_${tag}`] : []), ...others.map(member)];
  const json = `${isMap ? "_json_map" : "_json"}${isBytes ? "<true>" : ""}`;
  return {
    sizeLines: unlessLater(later, `bytes += ${size}(${tag}, ${member(name)});`),
    writeLines: unlessLater(later, `${write}(out, ${tag}, ${member(name)});`),
    readLines: assignment(`codec::${read}${codecArguments}(`, readArguments),
    jsonReadLines: jsonRead(`read${json}(in, ${member(name)})`, [name, ...others].map(member), oneof !== ""),
    jsonWriteLines: unlessLater(later, `write${json}(out, "${field.jsonName}", ${member(name)});`),
  };
}

/** On one line, else behind a break where it fits there, else with its arguments under each other. */
function assignment(open: string, args: readonly string[]): string {
  const call = `${open}${args.join(", ")});`;
  if (`        good = ${call}`.length > 100 && `            ${call}`.length <= 100)
    return `        good =\n            ${call}`;
  return fitArguments(`        good = ${open}`, args, ");");
}

function jsonRead(read: string, members: readonly string[], isOfOneof: boolean): string {
  if (!isOfOneof) return `      return ${read};`;
  const line = `      return ${read} && only_one(in, ${members.join(", ")});`;
  if (line.length <= 100) return line;
  return `      return ${read} &&\n${fitArguments("             only_one(", ["in", ...members], ");")}`;
}
