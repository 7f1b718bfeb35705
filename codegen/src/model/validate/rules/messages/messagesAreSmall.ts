import { quote } from "../../../diagnostics/index.js";
import { FAILURE, LONGEST_ARRAY, type Field, type TopologyIndex } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const MOST_BYTES = 1_048_576;
/** As most machines have them; an enum has 4, and so have the scalars that are not listed. */
const BYTES: Readonly<Record<string, number>> = {
  bool: 1,
  int64: 8,
  uint64: 8,
  double: 8,
  string: 32,
  bytes: 32,
  buffer: 16,
  [FAILURE]: 104,
};
const LIST_BYTES = 24;
const POINTER_BYTES = 8;

const CODES = {
  PS221: {
    severity: "error",
    title: "Message too large",
    explanation: `What a message holds by value, in fixed arrays above all, takes at most ${MOST_BYTES} bytes: larger ones overflow the stacks of threads, and the compiler refuses the largest.`,
    help: "Make the array shorter, or use `repeated`, whose elements lie outside of the message.",
  },
} satisfies Codes;

/** What a message holds by value fits on the stack of a thread. O(messages + fields). */
export const messagesAreSmall = rule({
  name: "messagesAreSmall",
  codes: CODES,
  check({ topology, index, report }) {
    const sizes = new Map<string, number>();
    measure(index, sizes, isSingle);
    // What is left holds itself, or what does so: endless, or by way of an optional, which is a pointer then.
    const plain = new Set(sizes.keys());
    const isInside: Inside = (field) => isSingle(field) && (field.optional !== true || plain.has(field.type));
    measure(index, sizes, isInside);
    for (const [at, { name, fields }] of topology.messages.entries()) {
      // Where a field is too large by itself, the message of its type says so.
      const isFirst = fields.every((field) => !isInside(field) || (sizes.get(field.type) ?? 0) <= MOST_BYTES);
      if ((sizes.get(name) ?? 0) <= MOST_BYTES || !isFirst) continue;
      const bytes = fields.map((field) => sizeOf(field, index, sizes, isInside));
      const inner = bytes.reduce((most, size, other) => (size > (bytes[most] ?? 0) ? other : most), 0);
      const field = fields[inner];
      if (field === undefined) continue;
      report(
        "PS221",
        ["messages", at, "fields", inner, field.length === undefined ? "type" : "length"],
        `${quote(name)} takes more than ${MOST_BYTES} bytes, the largest part of it ${quote(field.name)}`,
      );
    }
  },
});

/** Whether a field's value lies in the message itself. */
type Inside = (field: Field) => boolean;
const isSingle: Inside = ({ repeated }) => repeated !== true;

/** Adds the sizes of the messages that hold no message without a size. */
function measure(index: TopologyIndex, sizes: Map<string, number>, isInside: Inside): void {
  const waiting = new Map<string, number>();
  const holders = new Map<string, string[]>();
  const ready: string[] = [];
  for (const [name, { item }] of index.messages) {
    if (sizes.has(name)) continue;
    const needed = item.fields.filter(
      (field) => isInside(field) && index.messages.has(field.type) && !sizes.has(field.type),
    );
    for (const { type } of needed) {
      const others = holders.get(type);
      if (others) others.push(name);
      else holders.set(type, [name]);
    }
    waiting.set(name, needed.length);
    if (needed.length === 0) ready.push(name);
  }
  for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
    const fields = index.messages.get(name)?.item.fields ?? [];
    sizes.set(name, saturated(fields.reduce((sum, field) => sum + sizeOf(field, index, sizes, isInside), 0)));
    for (const holder of holders.get(name) ?? []) {
      const left = (waiting.get(holder) ?? 0) - 1;
      waiting.set(holder, left);
      if (left === 0) ready.push(holder);
    }
  }
}

function sizeOf(
  field: Field,
  index: TopologyIndex,
  sizes: ReadonlyMap<string, number>,
  isInside: Inside,
): number {
  const { type, repeated, length = 1 } = field;
  if (repeated === true) return LIST_BYTES;
  const isMessage = index.messages.has(type);
  if (isMessage && !isInside(field)) return POINTER_BYTES;
  const one = isMessage ? (sizes.get(type) ?? 0) : Object.hasOwn(BYTES, type) ? (BYTES[type] ?? 4) : 4;
  // Another length is none, and reported as such.
  return length >= 0 && length <= LONGEST_ARRAY ? saturated(one * length) : 0;
}

const saturated = (bytes: number): number => Math.min(bytes, Number.MAX_SAFE_INTEGER);

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS221",
    title: "arrays of arrays",
    spoil: ({ document }) =>
      void document.messages!.push(
        { name: "Room", fields: [{ name: "shelves", type: "Shelf", tag: 1, length: 65_536 }] },
        {
          name: "Shelf",
          fields: [
            { name: "number", type: "int32", tag: 1 },
            { name: "boxes", type: "Box", tag: 2, length: 65_536 },
          ],
        },
        { name: "Box", fields: [{ name: "weights", type: "double", tag: 1, length: 65_536 }] },
      ),
    pointer: "/messages/3/fields/1/length",
  },
  {
    code: "PS221",
    title: "many arrays in one message that holds itself",
    spoil: ({ ad, document }) => {
      ad.fields!.push({ name: "next", type: "Twin", tag: 3, optional: true });
      document.messages!.push({ name: "Twin", fields: ad.fields });
      for (const tag of [4, 5, 6])
        ad.fields!.push({ name: `list${tag}`, type: "double", tag, length: 65_536 });
    },
    pointer: "/messages/1/fields/3/length",
  },
];
