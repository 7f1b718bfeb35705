import type { EnumType, EnumValue, Field, Message, Topology } from "@penstock/codegen/topology";
import { freshName, patched, replaced, withTopology, type DocumentModel } from "../model.js";

/** Every name that messages, enums, services and flows share. */
export const sharedNames = (topology: Topology): string[] =>
  [topology.messages, topology.enums, topology.services, topology.flows]
    .flatMap((list) => list.map((item) => item.name))
    .concat("Failure");

export function addMessage(model: DocumentModel, name: string): DocumentModel {
  const { topology } = model;
  const message: Message = { name, fields: [] };
  return withTopology(model, { ...topology, messages: [...topology.messages, message] });
}

export function addEnum(model: DocumentModel, name: string): DocumentModel {
  const { topology } = model;
  const added: EnumType = { name, values: [{ name: "UNKNOWN", number: 0 }] };
  return withTopology(model, { ...topology, enums: [...topology.enums, added] });
}

export const freshEnumName = (topology: Topology): string => freshName("Choice", sharedNames(topology));

/** `Request`, then `Response`, then `Data`: `Message` is a type of the runtime. */
export function freshMessageName(topology: Topology, key: "request" | "response" = "request"): string {
  const taken = sharedNames(topology);
  const names = key === "request" ? ["Request", "Response"] : ["Response"];
  return names.find((name) => freshName(name, taken) === name) ?? freshName("Data", taken);
}

/** A message to ask with and one to answer with, where there is none yet: what is drawn first has types. */
export function withFirstMessages(model: DocumentModel): DocumentModel {
  const { topology } = model;
  if (topology.messages.length > 0) return model;
  const asked = addMessage(model, freshMessageName(topology));
  const both = addMessage(asked, freshMessageName(asked.topology));
  const messages = both.topology.messages.map((message) => addField(message, "int64"));
  return withTopology(model, { ...topology, messages });
}

export function changeMessage(
  model: DocumentModel,
  name: string,
  change: (message: Message) => Message,
): DocumentModel {
  const { topology } = model;
  const messages = replaced(topology.messages, (message) => message.name === name, change);
  return messages === topology.messages ? model : withTopology(model, { ...topology, messages });
}

export function changeEnum(
  model: DocumentModel,
  name: string,
  change: (value: EnumType) => EnumType,
): DocumentModel {
  const { topology } = model;
  const enums = replaced(topology.enums, (item) => item.name === name, change);
  return enums === topology.enums ? model : withTopology(model, { ...topology, enums });
}

/** The lowest tag that no field has or had, outside protobuf's own range. */
export function freshTag({ fields, reserved }: Message): number {
  const taken = new Set(fields.map((field) => field.tag));
  const ranges = (reserved?.numbers ?? []).map((one) =>
    typeof one === "number" ? ([one, one] as const) : one,
  );
  const isKept = (tag: number): boolean =>
    (tag >= 19_000 && tag <= 19_999) || ranges.some(([first, last]) => tag >= first && tag <= last);
  for (let tag = 1; ; tag++) if (!taken.has(tag) && !isKept(tag)) return tag;
}

export const addField = (message: Message, type = "string"): Message => {
  const name = freshName(
    "field",
    message.fields.map((field) => field.name),
  );
  return { ...message, fields: [...message.fields, { name, type, tag: freshTag(message) }] };
};

export const changeField = (
  message: Message,
  index: number,
  patch: { [K in keyof Field]?: Field[K] | undefined },
): Message => ({
  ...message,
  fields: message.fields.map((field, at) => (at === index ? patched(field, patch) : field)),
});

/** Names of a message's oneofs, in the order of their first members. */
export const oneofsOf = ({ fields }: Message): string[] => [
  ...new Set(fields.flatMap(({ oneof }) => oneof ?? [])),
];

/** A name that no field and no oneof of the message has. */
export const freshOneof = (message: Message): string =>
  freshName("choice", [...message.fields.map(({ name }) => name), ...oneofsOf(message)]);

export const renameOneof = (message: Message, from: string, to: string): Message => ({
  ...message,
  fields: replaced(
    message.fields,
    ({ oneof }) => oneof === from,
    (field) => ({ ...field, oneof: to }),
  ),
});

export const removeField = (message: Message, index: number): Message => ({
  ...message,
  fields: message.fields.filter((_, at) => at !== index),
});

/** Moves an element of a list to another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(Math.max(0, Math.min(to, next.length)), 0, item);
  return next;
}

export const addEnumValue = (item: EnumType): EnumType => {
  const number = item.values.reduce((max, value) => Math.max(max, value.number), -1) + 1;
  const name = freshName(
    "VALUE",
    item.values.map((value) => value.name),
  );
  return { ...item, values: [...item.values, { name, number }] };
};

export const changeEnumValue = (item: EnumType, index: number, patch: Partial<EnumValue>): EnumType => ({
  ...item,
  values: item.values.map((value, at) => (at === index ? patched(value, patch) : value)),
});

export const removeEnumValue = (item: EnumType, index: number): EnumType => ({
  ...item,
  values: item.values.filter((_, at) => at !== index),
});
