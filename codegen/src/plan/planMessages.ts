import {
  protoJsonName,
  protoValueName,
  type Field,
  type Message,
  type Reserved,
  type Topology,
} from "../model/topology/index.js";
import { boxing } from "./boxing.js";
import { MessageSchemas } from "./messageSchemas.js";
import type { EnumPlan, FieldPlan, MessagePlan } from "./projectPlan.js";
import { protoNames, type ProtoNames } from "./protoNames.js";
import { codecArguments, TypeSpeller } from "./planTypes.js";

/** Enums as drawn; in protobuf a value carries its enum's name, as values share one scope there. */
export function planEnums(topology: Topology): EnumPlan[] {
  return topology.enums.map((item) => ({
    name: item.name,
    doc: item.doc ?? "",
    values: item.values.map((value) => ({
      name: value.name,
      number: value.number,
      protoName: value.protoName ?? protoValueName(item.name, value.name),
      doc: value.doc ?? "",
    })),
    reserved: reservedLines(item.reserved),
  }));
}

/**
 * Orders structs so that each is complete where it is held by value, by array or by optional, and
 * puts an optional that would close a circle into a `Boxed`. `repeated` needs a declaration only.
 */
export function planMessages(topology: Topology): { messages: MessagePlan[]; forwardDeclared: string[] } {
  const speller = new TypeSpeller(topology);
  const byName = new Map(topology.messages.map((message) => [message.name, message]));
  const isBoxed = boxing(topology.messages);

  /** Messages whose structs must be complete before this one's. */
  const needs = (message: Message): Message[] =>
    message.fields
      .filter((field) => !field.repeated && !(field.optional && isBoxed(message.name, field.type)))
      .flatMap((field) => byName.get(field.type) ?? []);
  const ordered = completeFirst(topology.messages, needs);
  const position = new Map(ordered.map((message, index) => [message.name, index]));
  const forwardDeclared = ordered
    .map((message) => message.name)
    .filter((name) =>
      ordered.some(
        (user) => position.get(user.name)! < position.get(name)! && user.fields.some((f) => f.type === name),
      ),
    );
  const withBuffers = holdBuffers(topology.messages);
  const schemas = new MessageSchemas(topology);
  const planFields = (message: Message): FieldPlan[] => {
    const inProto = protoNames(message);
    return message.fields.map((field, at) => ({
      name: field.name,
      doc: field.doc ?? "",
      tag: field.tag,
      jsonName: jsonNameOf(field),
      type: field.type,
      key: field.key ?? "",
      isRepeated: field.repeated === true,
      isOptional: field.optional === true,
      isBytes: field.type === "bytes",
      ...speller.field(field, message.name),
      protoLabel: protoLabel(field),
      length: field.length ?? 0,
      isMap: field.key !== undefined,
      isUnpacked: field.packed === false,
      codecArguments: codecArguments(field),
      oneof: field.oneof ?? "",
      others: members(message.fields, field.oneof).filter((name) => name !== field.name),
      later: members(message.fields.slice(at + 1), field.oneof),
      ...namesInProto(field, inProto),
    }));
  };
  const messages = ordered.map((message) => ({
    name: message.name,
    holdsBuffers: withBuffers.has(message.name),
    schema: schemas.of(message.name),
    definitions: schemas.definitionsOf(message.name),
    doc: message.doc ?? "",
    reserved: reservedLines(message.reserved),
    fields: planFields(message),
  }));
  return { messages, forwardDeclared };
}

const jsonNameOf = ({ name, jsonName = protoJsonName(name) }: Field): string => jsonName;

/** With `json_name` among the options where it is given, or does not follow from the field's name there. */
function namesInProto(
  field: Field,
  { fields, oneofs }: ProtoNames,
): Pick<FieldPlan, "protoName" | "protoOneof" | "protoOptions"> {
  const protoName = fields.get(field.name) ?? field.name;
  const jsonName = jsonNameOf(field);
  const follows = field.jsonName === undefined && protoJsonName(protoName) === jsonName;
  const options = [
    ...(field.packed === false ? ["packed = false"] : []),
    ...(follows ? [] : [`json_name = ${JSON.stringify(jsonName)}`]),
  ];
  return {
    protoName,
    protoOneof: oneofs.get(field.oneof ?? "") ?? "",
    protoOptions: options.length === 0 ? "" : ` [${options.join(", ")}]`,
  };
}

function protoLabel({ repeated, optional, length, key, oneof }: Field): string {
  if (key !== undefined || oneof !== undefined) return "";
  if (repeated || length !== undefined) return "repeated ";
  return optional ? "optional " : "";
}

const members = (fields: readonly Field[], oneof: string | undefined): string[] =>
  oneof === undefined ? [] : fields.filter((field) => field.oneof === oneof).map(({ name }) => name);

/** `2, 9 to 11` and `"old", "older"`, each of which is a statement of the `.proto`. */
function reservedLines(reserved: Reserved | undefined): string[] {
  const numbers = (reserved?.numbers ?? []).map((one) =>
    typeof one === "number" ? String(one) : `${one[0]} to ${one[1]}`,
  );
  const names = (reserved?.names ?? []).map((name) => JSON.stringify(name));
  return [numbers, names].filter((list) => list.length > 0).map((list) => list.join(", "));
}

/** Those with a field of type `buffer`, themselves or deeper. */
function holdBuffers(messages: readonly Message[]): Set<string> {
  const found = new Set<string>();
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { name, fields } of messages)
      if (fields.some(({ type }) => type === "buffer" || found.has(type))) found.add(name);
  }
  return found;
}

/** Depth first over `needs` (which has no circle), keeping the user's order where it may. */
function completeFirst(messages: readonly Message[], needs: (message: Message) => Message[]): Message[] {
  const ordered: Message[] = [];
  const seen = new Set<Message>();
  for (const root of messages) {
    const work: { message: Message; needed: Message[]; next: number }[] = [];
    const enter = (message: Message): void => {
      if (seen.has(message)) return;
      seen.add(message);
      work.push({ message, needed: needs(message), next: 0 });
    };
    enter(root);
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const needed = top.needed[top.next++];
      if (needed !== undefined) enter(needed);
      else ordered.push(work.pop()!.message);
    }
  }
  return ordered;
}
