import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { COMMAND_METHODS } from "./commands.js";
import type { LiveSample } from "./live.js";
import { cellNames, LIVE_ROWS, ROW_NAMES } from "./liveRows.js";
import { liveRows } from "./readRows.js";
import { REQUEST_METHODS } from "./requests.js";
import { serviceCallEndSchema } from "./serviceCall.js";

const CONTROL = new URL("../../../runtime-cpp/penstock/control/", import.meta.url);
const LATENCY = ["p50", "p90", "p99", "max", "mean"];

/** What the runtime writes into the rows of a list, by the members of its structs: `row.in_flight` is `inFlight`. */
function writtenCells(frames: string, list: string): string[] {
  const [, before = "", rest = ""] =
    new RegExp(`(frame.rows|frame.key|each_part)\\((?:frame, )?"${list}"(.*)`, "s").exec(frames) ?? [];
  const own = rest.slice(0, rest.search(/frame\.(rows|key)\(|each_part\(|\n\}\n/));
  const latency = [...frames.matchAll(/\bfigures\.(\w+)_us\b/g)].map(([, member = ""]) => member);
  const members = [...own.matchAll(/frame\.(?:cells\(([^;]*)\)|latency\(.*\));/g)].flatMap(([, cells]) =>
    cells === undefined ? latency : [...cells.matchAll(/\.(\w+)\b(?!\.)/g)].map(([, member = ""]) => member),
  );
  // Rows of services and of their implementations begin alike.
  return [...(before === "each_part" ? ["service", "index"] : []), ...members].map((name) =>
    name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
}

describe("the rows of a sample", () => {
  const frames = readFileSync(new URL("live_frames.cpp", CONTROL), "utf8");
  it.each(ROW_NAMES)("%s have the cells that the runtime writes, in its order", (name) => {
    expect(cellNames(LIVE_ROWS[name]).map((cell) => cell.replace("?", ""))).toEqual(
      writtenCells(frames, name),
    );
  });

  it.each(ROW_NAMES)("%s are read by the names of their cells", (name) => {
    const names = cellNames(LIVE_ROWS[name]).map((cell) => cell.replace("?", ""));
    const said = names.map((_, at) => at + 1);
    const [row] = liveRows({ [name]: [said] }, name) as unknown as Record<string, unknown>[];
    const read = { ...(row?.["latency"] as object | undefined) };
    for (const cell of names) if (!LATENCY.includes(cell)) Object.assign(read, { [cell]: row?.[cell] });
    expect(read).toEqual(Object.fromEntries(names.map((cell, at) => [cell, at + 1])));
  });

  it("of a question are checked by what their cells are", () => {
    const row = [null, "GetAd", "", "front·0", 0, 5, null, 1];
    const isRow = (said: unknown[]): boolean =>
      serviceCallEndSchema.safeParse({ tookMs: 1, trace: [said], answer: {} }).success;
    expect(isRow(row)).toBe(true);
    for (const [at, cell] of row.entries())
      expect(isRow(row.with(at, typeof cell === "string" ? 0 : "text")), `cell ${at}`).toBe(false);
    expect(isRow(row.slice(1))).toBe(false);
    expect(isRow([...row, 0])).toBe(false);
  });

  it("have no figure where an older binary leaves one out", () => {
    const sample: Pick<LiveSample, "waits" | "runs" | "pools"> = {
      waits: [[0, 1, 5, 6, 7, 8]],
      pools: [[0, 1, 2, 3, 4]],
    };
    const [wait] = liveRows(sample, "waits");
    expect(wait?.latency).toEqual({ p50: 5, p90: 6, p99: 7, max: 8, mean: null });
    expect(liveRows(sample, "pools")[0]?.stolen).toBeUndefined();
    expect(liveRows(sample, "runs")).toEqual([]);
  });
});

test("each method that a binary takes has a row", () => {
  const rpc = readFileSync(new URL("rpc.cpp", CONTROL), "utf8");
  const taken = [...rpc.matchAll(/\bmethod == "([^"]+)"/g)].map(([, name]) => name);
  expect(new Set(taken)).toEqual(new Set([...COMMAND_METHODS, ...REQUEST_METHODS]));
});
