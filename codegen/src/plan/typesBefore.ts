import type { Rename } from "./followRenames.js";
import type { FieldPlan, ProjectPlan } from "./projectPlan.js";

/** A message or enum, by the name that it had. */
export interface TypeBefore {
  kind: "message" | "enum";
  /** Its name by now. */
  to: string;
  /** Its fields or values: by the names they had, those of now. */
  members: Map<string, string>;
  /** By the names they had: of fields that are one message, always, that message. */
  holds: Map<string, string>;
}

/** Every message and enum by its name before the renames; undefined where none is of one of them. */
export function typesBefore(
  { messages, enums }: ProjectPlan,
  renames: readonly Rename[],
): ReadonlyMap<string, TypeBefore> | undefined {
  const types = new Map<string, TypeBefore>([
    ...messages.map(({ name, fields }) => [name, typeOf("message", name, fields)] as const),
    ...enums.map(({ name, values }) => [name, typeOf("enum", name, values)] as const),
  ]);
  for (const { kind, from, to } of renames.toReversed()) {
    if (kind === "message" || kind === "enum") {
      if (types.get(to)?.kind === kind) rekey(types, to, from);
    } else if (kind === "field" || kind === "value") {
      const [type = "", before = ""] = from.split("/");
      const owner = types.get(type);
      if (owner?.kind === (kind === "field" ? "message" : "enum"))
        rekey(owner.members, to.slice(to.indexOf("/") + 1), before);
    }
  }
  const isRenamed = [...types].some(
    ([name, { to, members }]) => name !== to || [...members].some(([member, now]) => member !== now),
  );
  if (!isRenamed) return undefined;
  const before = new Map([...types].map(([name, { to }]) => [to, name]));
  const fields = new Map(messages.map((message) => [message.name, message.fields]));
  for (const { to, members, holds } of types.values()) {
    const held = new Map(fields.get(to)?.map((field) => [field.name, messageIn(field)]));
    for (const [member, now] of members) {
      const message = held.get(now);
      if (message !== undefined) holds.set(member, before.get(message) ?? message);
    }
  }
  return types;
}

const typeOf = (
  kind: TypeBefore["kind"],
  name: string,
  members: readonly { name: string }[],
): TypeBefore => ({
  kind,
  to: name,
  members: new Map(members.map((member) => [member.name, member.name])),
  holds: new Map(),
});

/** The type of a field that is one thing, and always there. */
const messageIn = ({ type, isRepeated, isOptional, isMap, length }: FieldPlan): string | undefined =>
  isRepeated || isOptional || isMap || length > 0 ? undefined : type;

/** What has the name `from` now had the name `to` before; what has that name by now was not there yet. */
function rekey<T>(things: Map<string, T>, from: string, to: string): void {
  const thing = things.get(from);
  if (thing === undefined) return;
  things.delete(from);
  things.set(to, thing);
}
