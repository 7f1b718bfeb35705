import type { LogLine } from "@penstock/codegen/contract";
import { expect, it } from "vitest";
import { readableLine } from "./readableLine.js";

const line = (text: string, stream: LogLine["stream"] = "stderr"): LogLine => ({
  ...{ seq: 0, atMs: 0, binary: "shop", stream },
  text,
});

it.each([
  [
    '{"event":"command","atMs":1,"method":"pool.resize","result":"in force"}',
    "live change pool.resize: in force",
  ],
  [
    '{"event":"command","atMs":1,"method":"pool.resize","result":"in force","params":{"pool":"models","threads":12},"before":7,"actual":12}',
    "models: 7 → 12 threads, by a live change",
  ],
  [
    '{"event":"command","atMs":1,"method":"pool.resize","result":"in force","params":{"pool":"models","threads":12},"before":7,"actual":9}',
    "models: 7 → 9 threads (12 asked), by a live change",
  ],
  [
    '{"event":"command","atMs":1,"method":"pool.resize","result":"PS755","params":{"pool":"models","threads":12}}',
    "models: 12 threads, live change refused (PS755)",
  ],
  [
    '{"event":"command","atMs":1,"method":"source.set","result":"in force","params":{"flow":"Ticks","perSecond":400},"before":1000000000,"actual":400}',
    "Ticks: no limit → 400/s, by a live change",
  ],
  [
    '{"event":"command","atMs":1,"method":"sampling.set","result":"in force","params":{"per128":0},"before":3,"actual":0}',
    "sampling 3 → 0 in 128, by a live change",
  ],
  [
    '{"event":"command","atMs":1,"method":"join.set","result":"in force","params":{"flow":"Ticks","stage":"price","join":{"pool":"models"}}}',
    "price: join on models, by a live change",
  ],
  [
    '{"event":"command","atMs":1,"method":"pool.resize","result":"in force","params":{"pool":7}}',
    "live change pool.resize: in force",
  ],
  [
    '{"event":"command","atMs":1,"method":"join.set","result":"PS751"}',
    "live change join.set: refused (PS751)",
  ],
  [
    '{"event":"command","atMs":1,"method":"service.call","result":"in force"}',
    "asked service.call: answered",
  ],
  [
    '{"event":"command","atMs":1,"method":"service.call","result":"PS757"}',
    "asked service.call: refused (PS757)",
  ],
  [
    '{"event":"adapted","atMs":1,"pool":"models","from":2,"to":4,"waitedMs":3.25}',
    "models: 2 → 4 threads, by itself (what came had waited 3.3 ms)",
  ],
  [
    '{"event":"adapted","atMs":1,"pool":"models","from":2,"to":1,"waitedMs":0}',
    "models: 2 → 1 thread, by itself",
  ],
  [
    '{"event":"switched","atMs":1,"rule":"Ticks","preset":"busy","perSecond":12,"result":"in force"}',
    "rule of Ticks: preset busy in force, at 12/s",
  ],
  [
    '{"event":"refused","atMs":1,"status":403,"reason":"another origin","leftOut":7}',
    "turned away (403): another origin; 7 before it are not told",
  ],
])("says what a binary tells of being changed in words, and keeps what it printed: %s", (printed, said) => {
  expect(readableLine(line(printed))).toMatchObject({ text: said, printed });
});

it.each([
  line('{"event":"command","atMs":1,"method":"pool.resize","result":"in force"}', "stdout"),
  line('{"event":"order","atMs":1}'),
  line('{"event":"toString","atMs":1}'),
  line('{"event":"command","method":"mine"}'),
  line('{"event":"command","atMs":1'),
  line("ready"),
])("leaves what else is printed as it is: $text", (other) => {
  expect(readableLine(other)).toBe(other);
});

it("makes of a line the same one each time, by which rows are known again", () => {
  const one = line('{"event":"adapted","atMs":1,"pool":"models","from":2,"to":4,"waitedMs":3}');
  expect(readableLine(one)).toBe(readableLine(one));
});
