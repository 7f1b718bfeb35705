import { nameFault } from "../../kernel/problems/checks.js";

/** Names as protobuf compares them: without case and underscores. */
const form = (name: string): string => name.toLowerCase().replaceAll("_", "");

/** Why a field or enum value cannot be called so beside the others; undefined when it can. */
export function memberFault(
  kind: "field" | "enum value",
  name: string,
  others: readonly string[],
): string | undefined {
  const wrong = nameFault(kind, name);
  if (wrong) return `${wrong.message}. Try ${wrong.suggestion}`;
  const other = others.find((taken) => form(taken) === form(name));
  return other === undefined ? undefined : `${other} is there already`;
}
