import { z } from "zod";
import type { LiveSample } from "./live.js";
import { LIVE_ROWS, ROW_NAMES } from "./liveRows.js";

const isCell = (value: unknown): boolean =>
  value === null || (typeof value === "number" && Number.isFinite(value));

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

/** Whether a value has the form of a sample; rows are looked at cell by cell, not by their meaning. */
function isSample(value: unknown): value is LiveSample {
  if (typeof value !== "object" || value === null) return false;
  const frame = value as Record<string, unknown>;
  if (frame["type"] !== "sample") return false;
  if (typeof frame["t"] !== "number" || typeof frame["seq"] !== "number") return false;
  if (typeof frame["process"] !== "object" || frame["process"] === null) return false;
  if (!(frame["traces"] === undefined || isTraces(frame["traces"]))) return false;
  return ROW_NAMES.every((name) =>
    frame[name] === undefined ? LIVE_ROWS[name].optional === true : isRows(frame[name]),
  );
}

/** Samples come ten times a second and may have thousands of rows: checked by hand. */
export const liveSampleSchema = z.custom<LiveSample>(isSample, "no sample");
