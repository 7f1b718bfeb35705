import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OutputLimiter } from "./outputLimiter.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Passed {
  text: string;
  lost: number;
}
function gate(): { gate: OutputLimiter; passed: Passed[] } {
  const passed: Passed[] = [];
  return { gate: new OutputLimiter((chunk, lost) => passed.push({ text: chunk.toString(), lost })), passed };
}
const lines = (count: number): string => `${"x".repeat(99)}\n`.repeat(count);

test("should pass what is no flood as it comes", () => {
  const { gate: open, passed } = gate();
  open.push(Buffer.from("half of a"));
  open.push(Buffer.from(" line\n"));
  expect(passed).toEqual([
    { text: "half of a", lost: 0 },
    { text: " line\n", lost: 0 },
  ]);
});

test.each([
  ["alone in its chunk", ["the last line\n"]],
  ["in two chunks", ["the last", " line\n"]],
  ["behind the end of another one", ["y\nthe last line\n"]],
])("should keep the last line of a flood whole, %s", (_, last) => {
  const { gate: open, passed } = gate();
  const flood = lines(650);
  // The chunks of a pipe end where they will: here in the middle of a line.
  for (let at = 0; at < 40; at++) open.push(Buffer.from(`${flood}xxxx`));
  open.push(Buffer.from("x\n"));
  for (const text of last) open.push(Buffer.from(text));
  const before = passed.length;
  vi.advanceTimersByTime(100);
  const [end, ...more] = passed.slice(before);
  expect(more).toEqual([]);
  expect(end?.lost).toBeGreaterThan(0);
  expect(end?.text.split("\n").slice(-2)).toEqual(["the last line", ""]);
  // It begins with a line: what was left out ends with one.
  expect(end?.text.split("\n")[0]).toMatch(/^x{99}$/);
});

test("should count what it leaves out, and keep no more than a window's end", () => {
  const { gate: open, passed } = gate();
  const chunk = Buffer.from(lines(650));
  for (let at = 0; at < 100; at++) open.push(chunk);
  open.end();
  const given = passed.reduce((sum, { text }) => sum + text.length, 0);
  const lost = passed.reduce((sum, one) => sum + one.lost, 0);
  expect(given + lost).toBe(100 * chunk.length);
  expect(given).toBeLessThan(400 * 1024);
});

test("should give the end of a line that is longer than what it keeps", () => {
  const { gate: open, passed } = gate();
  for (let at = 0; at < 20; at++) open.push(Buffer.from("z".repeat(65_536)));
  open.end();
  expect(passed.at(-1)?.lost).toBeGreaterThan(0);
  expect(passed.at(-1)?.text).toMatch(/^z{65536,}$/);
});
