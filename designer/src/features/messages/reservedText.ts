import { LAST_TAG, type Reserved } from "@penstock/codegen/topology";

/** As in a `.proto`: `4, 9 to 11, old_name`. */
export const reservedText = ({ numbers, names }: Reserved): string =>
  [
    ...numbers.map((one) => (typeof one === "number" ? String(one) : `${one[0]} to ${one[1]}`)),
    ...names,
  ].join(", ");

const RANGE = /^(-?\d+)(?:\s*(?:to|\.\.)\s*(-?\d+|max))?$/;
const NAME = /^"?([A-Za-z_]\w*)"?$/;

/** Reads what `reservedText` writes; nothing at all is `undefined`. Whether it fits the drawing say its checks. */
export function readReserved(
  text: string,
  last = LAST_TAG,
): { reserved: Reserved | undefined } | { fault: string } {
  const reserved: Reserved = { numbers: [], names: [] };
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  for (const part of parts) {
    const [, from, to] = RANGE.exec(part) ?? [];
    const [, name] = NAME.exec(part) ?? [];
    if (from !== undefined) {
      const first = Number(from);
      const end = to === undefined ? first : to === "max" ? last : Number(to);
      if (!Number.isSafeInteger(first) || !Number.isSafeInteger(end))
        return { fault: `${part} is too large` };
      reserved.numbers.push(first === end ? first : [first, end]);
    } else if (name !== undefined) reserved.names.push(name);
    else return { fault: `${part} is no number, no range (9 to 11) and no name` };
  }
  return { reserved: parts.length === 0 ? undefined : reserved };
}
