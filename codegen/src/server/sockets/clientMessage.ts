import { clientMessageSchema, type ClientMessage } from "../../contract/index.js";

/** A browser's message, or null when it is none of those we know. */
export function readClientMessage(text: string): ClientMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return clientMessageSchema.safeParse(value).data ?? null;
}
