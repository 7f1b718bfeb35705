import { describe, expect, test } from "vitest";
import { readControlCommand } from "./controlCommand.js";

describe("the words of penstock set", () => {
  test.each([
    ["pool.resize front 4", { method: "pool.resize", params: { pool: "front", threads: 4 } }],
    ["pool.pin front 0 0,2", { method: "pool.pin", params: { pool: "front", thread: 0, cpus: [0, 2] } }],
    ["pool.pin front 0 1023", { method: "pool.pin", params: { pool: "front", thread: 0, cpus: [1023] } }],
    ["pool.pin front 1 any", { method: "pool.pin", params: { pool: "front", thread: 1, cpus: [] } }],
    ["source.set Impressions 0.5", { method: "source.set", params: { flow: "Impressions", perSecond: 0.5 } }],
    ["pool.resize front -1", { method: "pool.resize", params: { pool: "front", threads: -1 } }],
    [
      "join.set F log front",
      { method: "join.set", params: { flow: "F", stage: "log", join: { pool: "front" } } },
    ],
    ["join.set F log 4", { method: "join.set", params: { flow: "F", stage: "log", join: { threads: 4 } } }],
    [
      "join.set F log cached 64 shed-oldest",
      {
        method: "join.set",
        params: { flow: "F", stage: "log", join: { threads: "cached", queue: 64, overflow: "shed-oldest" } },
      },
    ],
    [
      "pool.adapt models 2-32",
      { method: "pool.adapt", params: { pool: "models", adapt: { from: 2, to: 32 } } },
    ],
    ["pool.adapt models off", { method: "pool.adapt", params: { pool: "models", adapt: false } }],
    ["pool.adapt models on", { method: "pool.adapt", params: { pool: "models", adapt: true } }],
    ["rule.set F off", { method: "rule.set", params: { rule: "F", on: false } }],
    ["rule.set GetAd on", { method: "rule.set", params: { rule: "GetAd", on: true } }],
    ["join.remove F log", { method: "join.remove", params: { flow: "F", stage: "log" } }],
    ["sampling.set 128", { method: "sampling.set", params: { per128: 128 } }],
  ])("reads %s", (words, command) => {
    expect(readControlCommand(words.split(" "))).toEqual({ project: undefined, command });
    expect(readControlCommand(["ads", ...words.split(" ")])).toEqual({ project: "ads", command });
  });

  test.each([
    ["pool.resise front 4", "there is no command", "pool.resize POOL THREADS"],
    ["ads", "there is no command", "There are pool.resize"],
    ["pool.resize front", "is given 1 argument", "POOL THREADS"],
    ["pool.resize front four", "the number of threads", "whole number"],
    ["pool.resize front 1e9", "the number of threads", "whole number"],
    ["pool.pin front 0 1024", "a CPU", "from 0 to 1023"],
    ["pool.adapt models 8", "the bounds cannot be", "2-32"],
    ["rule.set F perhaps", "the rule cannot be", "on, off"],
    ["source.set Impressions fast", "the rate", "It is a number"],
    ["join.set F log", "is given 2 arguments", "POOL|THREADS|cached"],
    ["join.set F log 1 8 block more", "is given 6 arguments", "POOL|THREADS|cached"],
    ["join.set F log front 8", "has no queue of its own", "Leave the queue out"],
    ["join.set F log 2 8 drop", "the overflow cannot be", "shed-oldest"],
    ["a b pool.resize front 4", "there is no command", ""],
  ])("refuses %s", (words, message, help) => {
    const attempt = (): unknown => readControlCommand(words.split(" "));
    expect(attempt).toThrow(message);
    try {
      attempt();
    } catch (error) {
      expect((error as { help: string }).help).toContain(help);
    }
  });
});
