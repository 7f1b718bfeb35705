import { isJsonObject, type JsonValue } from "./value.js";

const WIDTH = 100;

/**
 * JSON as this project writes it: two spaces, an object or list on one line where it fits into 100
 * columns, lists and maps right under the top always broken (so that adding the first item to one changes few
 * lines), a line feed at the end. `formatJson(JSON.parse(formatJson(x))) === formatJson(x)`.
 */
export const formatJson = (value: JsonValue): string => `${format(value, 0, 0)}\n`;

/** `used`: columns taken on the line before the value. */
function format(value: JsonValue, depth: number, used: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const mustBreak = depth === 0 || (depth === 1 && Object.values(value).some(isJsonObject));
  if (!mustBreak) {
    const line = onOneLine(value, WIDTH - used);
    if (line !== undefined) return line;
  }
  const inner = "  ".repeat(depth + 1);
  const outer = "  ".repeat(depth);
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    const items = value.map((item) => `${inner}${format(item, depth + 1, inner.length + 1)}`);
    return `[\n${items.join(",\n")}\n${outer}]`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  const members = entries.map(([key, member]) => {
    const start = `${inner}${JSON.stringify(key)}: `;
    return start + format(member, depth + 1, start.length + 1);
  });
  return `{\n${members.join(",\n")}\n${outer}}`;
}

/** The value on one line, or undefined when it needs more than `room` columns. */
function onOneLine(value: JsonValue, room: number): string | undefined {
  let left = room;
  const parts: string[] = [];
  const take = (text: string): boolean => {
    parts.push(text);
    left -= text.length;
    return left >= 0;
  };
  const write = (part: JsonValue): boolean => {
    if (typeof part !== "object" || part === null) return take(JSON.stringify(part));
    if (Array.isArray(part)) {
      const pad = part.some((item) => typeof item === "object" && item !== null) ? " " : "";
      return (
        take(`[${pad}`) &&
        part.every((item, at) => (at === 0 || take(", ")) && write(item)) &&
        take(`${pad}]`)
      );
    }
    const entries = Object.entries(part);
    if (entries.length === 0) return take("{}");
    return (
      take("{ ") &&
      entries.every(
        ([key, item], at) => take(`${at === 0 ? "" : ", "}${JSON.stringify(key)}: `) && write(item),
      ) &&
      take(" }")
    );
  };
  return write(value) ? parts.join("") : undefined;
}
