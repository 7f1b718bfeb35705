import {
  LIMITS,
  protoJsonName,
  protoValueName,
  type EnumType,
  type Field,
  type Message,
  type Service,
} from "../model/topology/index.js";
import { utf8Length } from "../model/text/index.js";
import { refOf, type Renamed } from "./described/described.js";
import { memberForm, TakenNames } from "./giveNames.js";

/** The name in the topology of what has that complete name in the description. */
export type NameOf = (from: string) => string;

export const resolved = (name: string, nameOf: NameOf): string => {
  const from = refOf(name);
  return from === undefined ? name : nameOf(from);
};

/** Something with legal names, and which of its members were renamed for that. */
export interface Named<T> {
  item: T;
  renamed: Renamed[];
}

/** As many whole lines of it as a text may have. */
export function shortDoc(doc: string): string {
  const lines: string[] = [];
  let bytes = 0;
  for (const line of doc.split("\n")) {
    bytes += utf8Length(line) + (lines.length === 0 ? 0 : 1);
    if (bytes > LIMITS.textBytes) break;
    lines.push(line);
  }
  return lines.join("\n");
}

/** What an enum's value is called in protobuf and JSON. */
export const protoNameOf = (enumName: string, { name, protoName }: EnumType["values"][number]): string =>
  protoName ?? protoValueName(enumName, name);

const withShortDoc = <T extends { doc?: string | undefined }>(item: T): T => {
  const { doc, ...rest } = item;
  const short = doc === undefined ? "" : shortDoc(doc);
  return { ...rest, ...(short === "" ? {} : { doc: short }) } as T;
};

/** Members get their legal names in their order, so that the same description always gives the same. */
function namedMembers<T extends { name: string; doc?: string | undefined }>(
  kind: "field" | "enum value",
  members: readonly T[],
  from: string,
  taken = new TakenNames([], memberForm),
): Named<T[]> {
  const renamed: Renamed[] = [];
  const item = members.map((member) => {
    const name = taken.take(kind, [member.name]);
    if (name !== member.name) renamed.push({ from: `${from}.${member.name}`, to: name });
    return withShortDoc({ ...member, name });
  });
  return { item, renamed };
}

export function namedMessage(message: Message, from: string, nameOf: NameOf): Named<Message> {
  const taken = new TakenNames([], memberForm);
  const { item: fields, renamed } = namedMembers("field", message.fields, from, taken);
  // Oneofs are named among the fields.
  const wished = [...new Set(message.fields.flatMap(({ oneof }) => oneof ?? []))];
  const oneofs = namedMembers(
    "field",
    wished.map((name) => ({ name })),
    from,
    taken,
  );
  const oneofNames = new Map(wished.map((wish, at) => [wish, oneofs.item[at]!.name]));
  const drawn = new Set(fields.map(({ name }) => name));
  const typed = fields.map((field, at): Field => {
    const { jsonName = protoJsonName(message.fields[at]!.name), oneof, ...rest } = field;
    return {
      ...rest,
      type: resolved(field.type, nameOf),
      ...(oneof === undefined ? {} : { oneof: oneofNames.get(oneof)! }),
      // A reader takes both names of a field.
      ...(jsonName === protoJsonName(field.name) || drawn.has(jsonName) ? {} : { jsonName }),
    };
  });
  return { item: withShortDoc({ ...message, fields: typed }), renamed: [...renamed, ...oneofs.renamed] };
}

/**
 * Under the name that the enum gets. Its values keep the names in protobuf that readers say, but those that are in
 * `taken`, where all enums of a drawing share one scope; its own are added to that.
 */
export function namedEnum(item: EnumType, from: string, name: string, taken: Set<string>): Named<EnumType> {
  const { item: legal, renamed } = namedMembers("enum value", item.values, from);
  const values = legal.map(({ protoName, ...value }) => {
    const usual = protoValueName(name, value.name);
    const isKept = protoName !== undefined && protoName !== usual && !taken.has(protoName);
    if (protoName !== undefined && taken.has(protoName))
      renamed.push({ from: `${from}.${protoName}`, to: usual });
    return isKept ? { ...value, protoName } : value;
  });
  for (const value of values) taken.add(protoNameOf(name, value));
  return { item: withShortDoc({ ...item, name, values }), renamed };
}

export const namedService = (service: Service, nameOf: NameOf): Service => ({
  ...withShortDoc(service),
  request: resolved(service.request, nameOf),
  ...(service.response === undefined ? {} : { response: resolved(service.response, nameOf) }),
});
