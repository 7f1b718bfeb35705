import { z } from "zod";

/** JSON-RPC 2.0 on `WS /live`: what a binary answers to a command. */
export const rpcResponseSchema = z.union([
  z.strictObject({ jsonrpc: z.literal("2.0"), id: z.number().nullable(), result: z.unknown() }),
  z.strictObject({
    jsonrpc: z.literal("2.0"),
    id: z.number().nullable(),
    error: z.looseObject({
      code: z.number(),
      message: z.string().max(4096),
      /** A problem as in `diagnostics`, where a rule refused the command. */
      data: z.looseObject({ code: z.string(), help: z.string() }).exactOptional(),
    }),
  }),
]);
export type RpcResponse = z.infer<typeof rpcResponseSchema>;
