import type { Topology } from "./schema/schema.js";
import { FAILURE } from "./schema/builtIn.js";
import { protoValueName } from "./snakeCase.js";

/** What stands at the top of the `.proto` before its services, by name: the values of enums do so, too. */
export function protoScope({
  messages,
  enums,
}: Topology): Map<string, "message" | "enum" | "value of an enum"> {
  const values = enums.flatMap((item) =>
    item.values.map(({ name, protoName }) => protoName ?? protoValueName(item.name, name)),
  );
  return new Map([
    ...values.map((name) => [name, "value of an enum"] as const),
    ...enums.map(({ name }) => [name, "enum"] as const),
    ...[FAILURE, ...messages.map(({ name }) => name)].map((name) => [name, "message"] as const),
  ]);
}
