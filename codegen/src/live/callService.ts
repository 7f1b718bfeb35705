import { SERVICE_CALL_LIMITS, type ServiceCall, type ServiceCallEnd } from "../contract/index.js";
import { CommandRefused, type LiveConnection } from "./connectLive.js";

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
/** A handler that ignores its deadline is given up by the binary; the word of that comes later. */
export const CALL_GRACE_MS = 5_000;

/** The request as it goes over the socket: quoted as JSON, which may double it. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/**
 * Asks a service of the binary once. What it answers is the result, an error too; a refusal rejects. `graceMs` after
 * the deadline it is not waited for any more.
 */
export async function callService(
  live: Pick<LiveConnection, "command">,
  asked: ServiceCall,
  graceMs: number = CALL_GRACE_MS,
): Promise<ServiceCallEnd> {
  if (bytesOf(asked.request) > SERVICE_CALL_LIMITS.requestBytes) {
    const most = SERVICE_CALL_LIMITS.requestBytes;
    throw new CommandRefused(`the request is larger than ${most} bytes`, INVALID_PARAMS, {
      code: "PS758",
      help: "Ask with less; larger requests are for the binary's own callers.",
    });
  }
  const withinMs = (asked.deadlineMs ?? SERVICE_CALL_LIMITS.usualDeadlineMs) + graceMs;
  try {
    return (await live.command("service.call", asked, withinMs)) as ServiceCallEnd;
  } catch (error) {
    if (!(error instanceof CommandRefused) || error.rpcCode !== METHOD_NOT_FOUND) throw error;
    throw new CommandRefused("this binary was built before its services could be asked", error.rpcCode, {
      code: "PS759",
      help: "Build it again, and restart it.",
    });
  }
}
