import { z } from "zod";
import type { LiveFrame, LiveSample, LiveSchema, RpcResponse } from "../protocol/index.js";

const count = z.number().int().nonnegative();
const text = z.string().max(4096);

/** Unknown keys are let through here: a newer runtime may say more than this server passes on. */
const schemaFrame = z.looseObject({
  type: z.literal("schema"),
  version: z.literal(1),
  project: text,
  binary: text,
  topologyHash: text,
  pid: count,
  startedAtMs: z.number(),
  intervalMs: z.number().positive(),
  sampling: z.number(),
  services: z.array(z.looseObject({ id: count, name: text, pool: z.number() })),
  calls: z.array(z.looseObject({ id: count, from: count, to: count })),
  flows: z.array(
    z.looseObject({
      id: count,
      name: text,
      stages: z.array(z.looseObject({ id: text, service: count, pool: z.number().nullable() })),
    }),
  ),
  pools: z.array(z.looseObject({ id: count, name: text, threads: z.array(z.looseObject({ name: text })) })),
});

const responseFrame = z.union([
  z.strictObject({ jsonrpc: z.literal("2.0"), id: z.number().nullable(), result: z.unknown() }),
  z.strictObject({
    jsonrpc: z.literal("2.0"),
    id: z.number().nullable(),
    error: z.looseObject({ code: z.number(), message: text }),
  }),
]);

const ROWS = ["services", "implementations", "calls", "flows", "stages", "pools", "threads"] as const;

const OPTIONAL_ROWS = [
  "stuck",
  "waits",
  "runs",
  "stageOutcomes",
  "fused",
  "outcomes",
  "serviceWaits",
  "serviceRuns",
] as const;

const isCell = (value: unknown): boolean =>
  value === null || (typeof value === "number" && Number.isFinite(value));

/** Samples come ten times a second and may have thousands of rows: checked by hand, not by schema. */
function isSample(value: Record<string, unknown>): boolean {
  if (typeof value["t"] !== "number" || typeof value["seq"] !== "number") return false;
  if (typeof value["process"] !== "object" || value["process"] === null) return false;
  if (!(value["traces"] === undefined || isTraces(value["traces"]))) return false;
  return [...ROWS, ...OPTIONAL_ROWS].every((name) => {
    return isRows(value[name] ?? (OPTIONAL_ROWS.some((optional) => optional === name) ? [] : undefined));
  });
}

const isRows = (value: unknown): boolean =>
  Array.isArray(value) && value.every((row) => Array.isArray(row) && row.every(isCell));

const isTraces = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (trace) =>
      Array.isArray(trace) &&
      (trace.length === 5 || trace.length === 6) &&
      trace.slice(0, 3).every(isCell) &&
      typeof trace[3] === "string" &&
      trace.slice(4).every(isRows),
  );

/** A frame of a binary's `WS /live`, or null when it is none. */
export function readFrame(data: string): LiveFrame | RpcResponse | null {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const frame = value as Record<string, unknown>;
  if (frame["type"] === "sample") return isSample(frame) ? (frame as unknown as LiveSample) : null;
  if (frame["type"] === "schema") {
    return schemaFrame.safeParse(frame).success ? (frame as unknown as LiveSchema) : null;
  }
  return responseFrame.safeParse(frame).success ? (frame as unknown as RpcResponse) : null;
}
