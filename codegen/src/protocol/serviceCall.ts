/** `service.call` on `WS /live`: asks a service of a running binary once, as the drawn calls do. */
export interface ServiceCall {
  service: string;
  /** Its request as JSON, by proto3's rules; the binary's words about it count lines in this text. */
  request: string;
  /** 1 to 60000; the service's own deadline counts as well. */
  deadlineMs?: number;
}

/**
 * The question or a call that it led to: who made it (index into the list; null: the question), service,
 * implementation ("": its service has but one), thread as in `front·0` ("": it had not begun), microseconds since
 * the question, waited, ran (null: it had not begun, or not ended), 1 when it failed
 */
export type AskedCall = [
  parent: number | null,
  service: string,
  implementation: string,
  thread: string,
  atUs: number,
  waitUs: number | null,
  runUs: number | null,
  failed: 0 | 1,
];

/** How it ended; a service without a response answers `{}`. */
export type ServiceCallEnd = {
  tookMs: number;
  /** Its way, each call behind who made it; binaries built before it was sent leave it out. */
  trace?: AskedCall[];
} & ({ answer: unknown } | { error: { code: string; message: string } });

export const SERVICE_CALL_LIMITS = {
  deadlineMs: 60_000,
  /** Without a deadline of one's own. */
  usualDeadlineMs: 10_000,
  /** Of the request, with room for the rest of a message on the socket. */
  requestBytes: 60_000,
} as const;

/** A call as the server keeps it to offer it again. */
export interface TriedCall {
  /** Wall clock, milliseconds since the epoch. */
  at: number;
  request: string;
  end: ServiceCallEnd;
}
/** The last calls of each service, the newest first. */
export type TriedCalls = Record<string, TriedCall[]>;
