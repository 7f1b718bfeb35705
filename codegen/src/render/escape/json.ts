/**
 * A value as JSON text, two spaces a level; an object or list that fits on its line stays on it, so
 * that one changed pool is one changed line.
 */
export function jsonText(value: unknown, indent = 0, width = 100): string {
  const flat = flatJson(value);
  if (flat.length + indent <= width || typeof value !== "object" || value === null) return flat;
  const pad = " ".repeat(indent + 2);
  const inner = Array.isArray(value)
    ? value.map((item) => pad + jsonText(item, indent + 2, width))
    : Object.entries(value).map(
        ([key, item]) => `${pad}${JSON.stringify(key)}: ${jsonText(item, indent + 2, width)}`,
      );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return inner.length === 0 ? open + close : `${open}\n${inner.join(",\n")}\n${" ".repeat(indent)}${close}`;
}

function flatJson(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.map(flatJson).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flatJson(item)}`);
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  }
  return JSON.stringify(value);
}

export const jsonString = (text: string): string => JSON.stringify(text);
