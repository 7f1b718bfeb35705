import type { Rename } from "./followRenames.js";
import type { ProjectPlan } from "./projectPlan.js";

/** A message or enum, by the name that it had. */
export interface TypeBefore {
  kind: "message" | "enum";
  /** Its name by now. */
  to: string;
  /** Values of an enum: by the names they had, those of now. */
  members: Map<string, string>;
}

/** Every message and enum by its name before the renames; undefined where none is of one of them. */
export function typesBefore(
  { messages, enums }: ProjectPlan,
  renames: readonly Rename[],
): ReadonlyMap<string, TypeBefore> | undefined {
  const types = new Map<string, TypeBefore>();
  for (const { name } of messages) types.set(name, { kind: "message", to: name, members: new Map() });
  for (const { name, values } of enums)
    types.set(name, {
      kind: "enum",
      to: name,
      members: new Map(values.map((value) => [value.name, value.name])),
    });
  for (const { kind, from, to } of renames.toReversed()) {
    if (kind === "message" || kind === "enum") {
      const type = types.get(to);
      if (type?.kind === kind) rekey(types, to, from);
    } else if (kind === "value") {
      const [type = "", before = ""] = from.split("/");
      const members = types.get(type)?.members;
      if (members !== undefined) rekey(members, to.slice(to.indexOf("/") + 1), before);
    }
  }
  const isRenamed = [...types].some(
    ([name, { to, members }]) => name !== to || [...members].some(([member, now]) => member !== now),
  );
  return isRenamed ? types : undefined;
}

/** What has the name `from` now had the name `to` before; what has that name by now was not there yet. */
function rekey<T>(things: Map<string, T>, from: string, to: string): void {
  const thing = things.get(from);
  if (thing === undefined) return;
  things.delete(from);
  things.set(to, thing);
}
