import { FAILURE, FAILURE_MESSAGE } from "../schema/builtIn.js";
import type { Field, Topology } from "../schema/schema.js";
import type { TopologyIndex } from "./indexTopology.js";

const KEY_TYPES: ReadonlySet<string> = new Set(["bool", "int32", "int64", "uint32", "uint64", "string"]);

/** Whether a field holds one value that requests can be divided by: an integer, bool, string or enum. */
export const canDivide = (field: Field, isEnum: (type: string) => boolean): boolean =>
  field.repeated !== true && field.length === undefined && (KEY_TYPES.has(field.type) || isEnum(field.type));

/** Names of the fields of a request that `partitionBy` may name, in their order. */
export function partitionFields(topology: Topology, request: string): string[] {
  const message =
    request === FAILURE ? FAILURE_MESSAGE : topology.messages.find(({ name }) => name === request);
  const enums = new Set(topology.enums.map(({ name }) => name));
  return (message?.fields ?? [])
    .filter((field) => canDivide(field, (type) => enums.has(type)))
    .map(({ name }) => name);
}

/** The field by whose value branches are taken: the only enum field (not repeated, no array) of a message. */
export function decidingField(index: TopologyIndex, message: string): Field | undefined {
  const candidates = (index.messages.get(message)?.item.fields ?? []).filter(
    ({ type, repeated, length }) => index.enums.has(type) && repeated !== true && length === undefined,
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}
