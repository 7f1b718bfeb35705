import { useState } from "react";
import { useDocument } from "../../kernel/document/index.js";
import { Select } from "../../kernel/ui/index.js";
import { ENCODED_TYPES, SCALAR_TYPES, type Topology } from "@penstock/codegen/topology";
import { madeOnce } from "../../kernel/document/madeOnce.js";

const NONE: ReadonlySet<string> = new Set();

/**
 * The type of a field. Types are many where fields are many: they are listed while somebody is near, with pointer or keys,
 * and not for every field of the view. A list that is open stays, wherever the pointer goes.
 */
export function TypeSelect({
  label,
  type,
  onChange,
}: {
  label: string;
  type: string;
  onChange: (type: string) => void;
}) {
  const [pointed, setPointed] = useState(false);
  const [taken, setTaken] = useState(false);
  const near = pointed || taken;
  const known = useDocument(({ topology }) => fieldTypes(topology).has(type));
  const types = useDocument(({ topology }) => (near ? fieldTypes(topology) : NONE));
  const listed = types.has(type) ? [...types] : [type, ...types];
  return (
    <div
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onPointerDown={() => setTaken(true)}
      onFocus={() => setTaken(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        // A line of the open list has the focus while the keys go through it.
        if (!currentTarget.contains(relatedTarget)) setTaken(false);
      }}
    >
      <Select
        mono
        label={label}
        value={type}
        options={listed.map((value) => ({
          value,
          label: value === type && !known ? `${value} (missing)` : value,
        }))}
        onChange={onChange}
      />
    </div>
  );
}

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
