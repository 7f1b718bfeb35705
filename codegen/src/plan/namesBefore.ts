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

/** The names that the user's code has of before the renames, with what they are. */
export interface NamesBefore {
  project: string;
  types: ReadonlyMap<string, TypeBefore>;
  /** By the names of services and flows, older ones and those of now: the messages that they take and answer. */
  calls: ReadonlyMap<string, CallBefore>;
  flows: ReadonlyMap<string, CallBefore>;
}
interface CallBefore {
  takes: string | undefined;
  answers: string | undefined;
}

/** Undefined where no message and no enum, and nothing in one, is called otherwise by now. */
export function namesBefore(
  plan: ProjectPlan,
  renames: readonly Rename[],
  nameBefore: (kind: Rename["kind"], name: string) => string,
): NamesBefore | undefined {
  const types = typesBefore(plan, renames);
  if (types === undefined) return undefined;
  const before = new Map([...types].map(([name, { to }]) => [to, name]));
  const messageOf = (type: string): string | undefined => before.get(type.split("::").at(-1) ?? "");
  const calls = byBothNames(
    plan.services.map(({ name, requestType, responseType }) => ({
      names: [nameBefore("service", name), name],
      call: { takes: messageOf(requestType), answers: messageOf(responseType) },
    })),
  );
  const flows = byBothNames(
    plan.flows.map(({ name, eventType }) => ({
      names: [nameBefore("flow", name), name],
      call: { takes: messageOf(eventType), answers: undefined },
    })),
  );
  return { project: nameBefore("project", plan.project), types, calls, flows };
}

/** The code may have followed a rename already; a name that may be of two is of none. */
function byBothNames(
  things: readonly { names: readonly string[]; call: CallBefore }[],
): ReadonlyMap<string, CallBefore> {
  const found = new Map<string, CallBefore>();
  const twice = new Set<string>();
  for (const { names, call } of things)
    for (const name of new Set(names))
      if (found.has(name)) twice.add(name);
      else found.set(name, call);
  for (const name of twice) found.delete(name);
  return found;
}

/** Every message and enum by its name before the renames; undefined where none is of one of them. */
function typesBefore(
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
      // One that is new under a name that another had is in no code.
      const was = message === undefined || fields.has(message) ? before.get(message ?? "") : message;
      if (was !== undefined) holds.set(member, was);
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
