import { EventEmitter } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { interruptSignal } from "./interrupt.js";
import { endWhenNobodyReads } from "./readerGone.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const before = SIGNALS.map((signal) => process.listeners(signal));
afterEach(() => {
  for (const [at, signal] of SIGNALS.entries())
    for (const listener of process.listeners(signal))
      if (!before[at]?.includes(listener)) process.off(signal, listener);
  vi.restoreAllMocks();
});

test("a Ctrl-C that npm hands on as well is one, and a second one ends the process", () => {
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  let nowMs = 1_000;
  const others = process.listeners("SIGINT");
  const signal = interruptSignal(() => nowMs);
  // Told to ours alone: whoever runs the tests listens, too.
  const interrupt = (): void => {
    for (const listener of process.listeners("SIGINT")) if (!others.includes(listener)) listener("SIGINT");
  };
  interrupt();
  expect(signal.aborted).toBe(true);
  nowMs += 400;
  interrupt();
  expect(exit).not.toHaveBeenCalled();
  nowMs += 100;
  interrupt();
  expect(exit).toHaveBeenCalledWith(130);
});

test("who has processes stops them when nobody reads any more, and others end", () => {
  const ended = (verb: string, code: string) => {
    const stream = new EventEmitter();
    const exit = vi.fn<(code: number) => void>();
    endWhenNobodyReads([stream], verb, exit);
    const gone = () => stream.emit("error", Object.assign(new Error("write"), { code }));
    gone();
    gone();
    return exit.mock.calls.flat();
  };
  expect(ended("schema", "EPIPE")).toEqual([0]);
  const signal = interruptSignal();
  expect(ended("serve", "EIO")).toEqual([]);
  expect(signal.aborted).toBe(true);
  expect(() => ended("run", "ENOSPC")).toThrow("write");
});
