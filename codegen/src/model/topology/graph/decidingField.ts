import type { Field } from "../schema/schema.js";
import type { TopologyIndex } from "./indexTopology.js";

/** The field by whose value branches are taken: the only enum field (not repeated, no array) of a message. */
export function decidingField(index: TopologyIndex, message: string): Field | undefined {
  const candidates = (index.messages.get(message)?.item.fields ?? []).filter(
    ({ type, repeated, length }) => index.enums.has(type) && repeated !== true && length === undefined,
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}
