import { ENCODED_TYPES, SCALAR_TYPES, type Topology } from "@penstock/codegen/topology";
import { madeOnce } from "../../kernel/document/madeOnce.js";

let before: ReadonlySet<string> = new Set();

/** What a field can be, in the order of the list: the same set for as long as it is, whatever else is edited. */
export const fieldTypes = madeOnce(({ enums, messages }: Topology): ReadonlySet<string> => {
  const names = [
    ...SCALAR_TYPES,
    ...Object.keys(ENCODED_TYPES),
    ...[...enums, ...messages].map(({ name }) => name),
  ];
  if (names.join() !== [...before].join()) before = new Set(names);
  return before;
});
