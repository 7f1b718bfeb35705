import { z } from "zod";
import { ASKED_ROWS, type AskedCall } from "./liveRows.js";
import { serviceName } from "./names.js";

export const SERVICE_CALL_LIMITS = {
  deadlineMs: 60_000,
  /** Without a deadline of one's own. */
  usualDeadlineMs: 10_000,
  /** Of the request, with room for the rest of a message on the socket. */
  requestBytes: 60_000,
} as const;

/** What a service of a running binary is asked. */
export const serviceCallSchema = z.strictObject({
  service: serviceName,
  /** Its request as JSON, by proto3's rules; the binary's words about it count lines in this text. */
  request: z.string().max(SERVICE_CALL_LIMITS.requestBytes),
  /** The service's own deadline counts as well. */
  deadlineMs: z.int().min(1).max(SERVICE_CALL_LIMITS.deadlineMs).exactOptional(),
});
export type ServiceCall = z.infer<typeof serviceCallSchema>;

/** What a cell may be is said behind its name. */
const cellSchema = (cell: string): z.ZodType => {
  if (cell.endsWith("|text")) return z.string();
  return cell.endsWith("|null") ? z.number().nullable() : z.number();
};
const askedCallSchema = z.tuple(
  ASKED_ROWS.trace.cells.map(cellSchema) as [z.ZodType, ...z.ZodType[]],
) as z.ZodType as z.ZodType<AskedCall>;

const everyEnd = {
  tookMs: z.number(),
  /** Its way, each call behind who made it; binaries built before it was sent leave it out. */
  trace: z.array(askedCallSchema).exactOptional(),
};
/** How it ended; a service without a response answers `{}`. */
export const serviceCallEndSchema = z.union([
  z.strictObject({ ...everyEnd, answer: z.unknown() }),
  z.strictObject({ ...everyEnd, error: z.strictObject({ code: z.string(), message: z.string() }) }),
]);
export type ServiceCallEnd = z.infer<typeof serviceCallEndSchema>;

/** A call as the server keeps it to offer it again. */
export const triedCallSchema = z.strictObject({
  /** Wall clock, milliseconds since the epoch. */
  at: z.number(),
  request: z.string(),
  end: serviceCallEndSchema,
});
export type TriedCall = z.infer<typeof triedCallSchema>;
/** The last calls of each service, the newest first. */
export const triedCallsSchema = z.record(z.string(), z.array(triedCallSchema));
export type TriedCalls = z.infer<typeof triedCallsSchema>;
