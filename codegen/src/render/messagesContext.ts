import type { FieldPlan, MessagePlan, ProjectPlan } from "../plan/index.js";
import { codecLines } from "./codecLines.js";
import { fitArguments } from "./fitLine.js";

/** What the three message templates read: fields in their order, and backwards for the writer. */
export function messagesContext(plan: ProjectPlan): object {
  const includes = ["cstdint", "string", "string_view", "penstock/message.hpp"];
  if (plan.needs.array) includes.push("array");
  if (plan.needs.map) includes.push("map");
  if (plan.needs.optional) includes.push("optional");
  if (plan.needs.vector) includes.push("vector");
  return {
    includes: includes.sort(),
    enums: plan.enums.map((item) => ({
      ...item,
      type: `::${plan.project}::${item.name}`,
      values: item.values.map((value) => ({ ...value, number: String(value.number) })),
    })),
    forwardDeclared: plan.forwardDeclared,
    usesFailure: plan.usesFailure,
    protoServices: plan.protoServices,
    json: plan.needs.json,
    messages: plan.messages.map((message) => messageContext(plan.project, message)),
  };
}

function messageContext(project: string, message: MessagePlan): object {
  const fields = message.fields.map((field) => ({
    ...field,
    tag: String(field.tag),
    isArray: field.length > 0,
    jsonRequired: field.length > 0 ? ", true" : "",
    ...codecLines(field),
    protoDoc: [field.doc, field.length > 0 ? `Exactly ${field.length} of them.` : ""]
      .filter(Boolean)
      .join("\n"),
  }));
  // As protobuf writes them.
  const byTag = fields.toSorted((a, b) => Number(a.tag) - Number(b.tag));
  return {
    name: message.name,
    type: `::${project}::${message.name}`,
    doc: message.doc,
    holdsBuffers: message.holdsBuffers,
    schema: message.schema,
    definitions: message.definitions,
    encodeDefinition: encodeDefinition(message.name, "encode", "append"),
    encodeJsonDefinition: encodeDefinition(message.name, "encode_json", "append_json"),
    ...jsonHeads(`::${project}::${message.name}`, message.name),
    fields: fields.map((field, index) => ({ ...field, index: String(index) })),
    byTag,
    byTagBackwards: byTag.toReversed(),
    reserved: message.reserved,
    protoMembers: protoMembers(fields),
    arrays: fields.filter((field) => field.isArray),
    isEmpty: fields.length === 0,
  };
}

/** Members of the message in the `.proto`: fields, and where the first of a oneof stands, all of it. */
function protoMembers<F extends Pick<FieldPlan, "protoOneof">>(
  fields: readonly F[],
): { oneof: string; fields: F[] }[] {
  const members: { oneof: string; fields: F[] }[] = [];
  for (const field of fields) {
    const met = field.protoOneof === "" ? undefined : members.find(({ oneof }) => oneof === field.protoOneof);
    if (met === undefined) members.push({ oneof: field.protoOneof, fields: [field] });
    else met.fields.push(field);
  }
  return members;
}

function jsonHeads(type: string, name: string): object {
  const decode = ["std::string_view text", `${name}& message`, "::penstock::JsonError& error"];
  const read = ["JsonReader& in", "std::size_t field", `${type}& message`];
  return {
    decodeJsonHead: fitArguments("bool decode_json(", decode, ") {"),
    decodeJsonDeclaration: fitArguments("[[nodiscard]] bool decode_json(", decode),
    readJsonHead: fitArguments(`bool JsonMessage<${type}>::read(`, read, ") {"),
    readJsonDeclaration: fitArguments("  static bool read(", read),
    readNothing: shortFunction(
      `bool JsonMessage<${type}>::read(`,
      ["JsonReader&", "std::size_t", `${type}&`],
      "return false;",
    ),
    writeJsonHead: fitArguments(
      `void JsonMessage<${type}>::write(`,
      ["JsonWriter& out", `const ${type}& message`],
      ") {",
    ),
  };
}

/** A short function on its line, or with a line for its body. */
function shortFunction(open: string, args: readonly string[], body: string): string {
  const line = `${open}${args.join(", ")}) { ${body} }`;
  return line.length <= 100 ? line : `${fitArguments(open, args, ") {")}\n  ${body}\n}`;
}

function encodeDefinition(name: string, method: string, helper: string): string {
  const head = `void ${method}(const ${name}& message, std::string& out) {`;
  const body = `::penstock::codec::${helper}(message, out);`;
  const line = `${head} ${body} }`;
  return line.length <= 100 ? line : `${head}\n  ${body}\n}`;
}
