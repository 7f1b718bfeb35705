import { z } from "zod";
import {
  liveSampleSchema,
  liveSchemaSchema,
  rpcResponseSchema,
  type LiveFrame,
  type RpcResponse,
} from "../contract/index.js";

const frameSchema: z.ZodType<LiveFrame | RpcResponse> = z.union([
  liveSampleSchema,
  liveSchemaSchema,
  rpcResponseSchema,
]);

/** A frame of a binary's `WS /live`, or null when it is none. */
export function readFrame(data: string): LiveFrame | RpcResponse | null {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return null;
  }
  return frameSchema.safeParse(value).data ?? null;
}
