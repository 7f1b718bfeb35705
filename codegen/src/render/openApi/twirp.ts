import { LONGEST_TIMEOUT_MS } from "../../model/topology/index.js";
import { described, refTo, type Schema } from "./messageSchemas.js";

// What every exposed service has in common: how it is asked, and how it refuses (docs/http.md).

/** With a dot, which no name of a message has. */
const ERROR = "twirp.Error";

/** Status and codes, as runtime-cpp/penstock/edge/twirp.cpp sends them. */
export const TWIRP_CODES: Readonly<Record<string, readonly string[]>> = {
  "400": ["invalid_argument", "malformed", "out_of_range"],
  "401": ["unauthenticated"],
  "403": ["permission_denied"],
  "404": ["bad_route", "not_found"],
  "408": ["canceled", "deadline_exceeded"],
  "409": ["aborted", "already_exists"],
  "412": ["failed_precondition"],
  "429": ["resource_exhausted"],
  "500": ["data_loss", "internal", "unknown"],
  "501": ["unimplemented"],
  "503": ["unavailable"],
};

const ERROR_SCHEMA: Schema = {
  type: "object",
  description: "Why there is no answer: always JSON, whatever was asked in.",
  required: ["code", "msg"],
  properties: {
    code: {
      type: "string",
      enum: Object.values(TWIRP_CODES).flat().toSorted(),
      ...described(
        Object.entries(TWIRP_CODES)
          .map(([status, codes]) => `${status}: ${codes.join(", ")}`)
          .join("\n"),
      ),
    },
    msg: { type: "string", description: "For people." },
    meta: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "More, where there is more: pointer, line and column of malformed JSON, say.",
    },
  },
};

/** 16 or 8 bytes, not all of them 0, as W3C's Trace Context has it. */
const TRACE_PARENT = "^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}";

const HEADERS = {
  "Twirp-Timeout": {
    description:
      "How long the answer is waited for, in milliseconds: the deadline of the call and of all that it asks.",
    schema: { type: "integer", minimum: 1, maximum: LONGEST_TIMEOUT_MS, default: 30_000 },
  },
  traceparent: {
    description: "The trace that the call is part of, by W3C's Trace Context.",
    schema: { type: "string", pattern: TRACE_PARENT },
  },
  baggage: {
    description: "Goes on with all that the call asks, by W3C's Baggage.",
    schema: { type: "string" },
  },
} as const;

/** What operations refer to. */
export const SHARED_PARTS = {
  parameters: Object.fromEntries(
    Object.entries(HEADERS).map(([name, words]) => [name, { name, in: "header", ...words }]),
  ),
  responses: {
    [ERROR]: {
      description: "It was not asked, or failed.",
      content: { "application/json": { schema: refTo(ERROR) } },
    },
  },
  schemas: { [ERROR]: ERROR_SCHEMA },
};
export const HEADER_REFS = Object.keys(HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));
export const ERROR_REF = { $ref: `#/components/responses/${ERROR}` };

/** How a client says who it is. */
export const security = (
  asksForToken: boolean,
): { schemes: Record<string, object>; security: Record<string, string[]>[] } =>
  asksForToken
    ? {
        schemes: { token: { type: "http", scheme: "bearer", description: "One that the binary was given." } },
        security: [{ token: [] }],
      }
    : { schemes: {}, security: [] };
