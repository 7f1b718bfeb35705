import type { LogLine } from "@penstock/codegen/contract";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addLogs, clearLogs, LOG_LINES, logStore } from "./logStore.js";

const line = (seq: number): LogLine => ({
  seq,
  atMs: seq,
  binary: "b",
  stream: "stdout",
  text: `line ${seq}`,
});
const seqs = () => logStore.getState().lines.map((one) => one.seq);

describe("logs in the page", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    clearLogs();
  });
  afterEach(() => vi.useRealTimers());

  it("puts history that comes late before newer lines, each line once", () => {
    addLogs([line(8), line(9)], 0);
    vi.advanceTimersByTime(20);
    addLogs([line(6), line(7), line(8)], 0);
    vi.advanceTimersByTime(20);
    expect(seqs()).toEqual([6, 7, 8, 9]);
  });

  it("updates once a frame, keeps the newest lines and counts the dropped ones", () => {
    const heard = vi.fn<() => void>();
    const stop = logStore.subscribe(heard);
    for (let seq = 0; seq < LOG_LINES + 500; seq++) addLogs([line(seq)], 0);
    addLogs([], 42);
    vi.advanceTimersByTime(20);
    stop();
    expect(heard).toHaveBeenCalledTimes(1);
    expect(seqs().length).toBe(LOG_LINES);
    expect(seqs().at(-1)).toBe(LOG_LINES + 499);
    expect(logStore.getState().dropped).toBe(500 + 42);
  });

  it("counts those that newer ones push out of the page, and those that come twice once", () => {
    const lines = Array.from({ length: LOG_LINES }, (_, at) => line(at));
    addLogs(lines.slice(-500), 0);
    addLogs(lines, 0);
    vi.advanceTimersByTime(20);
    expect(logStore.getState()).toMatchObject({ lines, dropped: 0 });
    addLogs([line(LOG_LINES), line(LOG_LINES + 1)], 0);
    vi.advanceTimersByTime(20);
    expect(seqs().at(0)).toBe(2);
    expect(logStore.getState().dropped).toBe(2);
  });

  it("keeps newer lines that came before the whole of the history", () => {
    addLogs([line(LOG_LINES)], 0);
    addLogs(
      Array.from({ length: LOG_LINES }, (_, at) => line(at)),
      0,
    );
    vi.advanceTimersByTime(20);
    expect(seqs().at(-1)).toBe(LOG_LINES);
  });
});
