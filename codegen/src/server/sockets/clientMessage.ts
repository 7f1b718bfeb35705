import { z } from "zod";
import type { ClientMessage } from "../../protocol/index.js";
import { isId } from "../../workspace/index.js";

const messageSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("open"), project: z.string().refine(isId) }),
  z.strictObject({ type: z.literal("close") }),
  z.strictObject({
    type: z.literal("view"),
    nodes: z.union([z.literal("all"), z.array(z.string().max(300)).max(10_000)]),
    hidden: z.boolean().optional(),
  }),
]);

/** A browser's message, or null when it is none of those we know. */
export function readClientMessage(text: string): ClientMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const result = messageSchema.safeParse(value);
  return result.success ? (result.data as ClientMessage) : null;
}
