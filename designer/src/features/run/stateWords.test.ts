import type { BenchStatus, BinaryStatus, BuildStatus } from "@penstock/codegen/contract";
import type { Problem } from "@penstock/codegen/diagnostics";
import { describe, expect, it } from "vitest";
import { isAlive, isOwnAlive } from "../../kernel/server/projectStore.js";
import { failureStands, stateWords } from "./stateWords.js";

const idleBench = { phase: "idle", done: 0, total: 0 } as BenchStatus;
const built: BuildStatus = {
  phase: "succeeded",
  done: 8,
  total: 8,
  current: "",
  startedAtMs: 10_000,
  milliseconds: 1_200,
  problems: [],
};
const binary = (state: BinaryStatus["state"], startedAtMs: number | null): BinaryStatus => ({
  binary: "hello",
  state,
  detail: "",
  pid: null,
  control: null,
  http: null,
  startedAtMs,
  restarts: 0,
  topologyHash: null,
});
const words = (binaries: BinaryStatus[], aliveAtMs = 0, now = 12_000) =>
  stateWords(built, idleBench, binaries, aliveAtMs, now).text;

describe("stateWords", () => {
  it("says a finished build for a while", () => {
    expect(words([])).toBe("built in 1 s");
    expect(words([binary("stopped", null)], 9_000)).toBe("built in 1 s");
    expect(words([], 0, 40_000)).toBe("not running");
  });

  it("says that nothing runs once a binary was stopped after the build", () => {
    // The server forgets when a stopped one had started.
    expect(words([binary("stopped", null)], 11_500)).toBe("not running");
  });

  it("says what a build waits for, and how far that is", () => {
    const waiting: BuildStatus = { ...built, phase: "waiting", done: 54, total: 110 };
    expect(stateWords(waiting, idleBench, [], 0, 12_000)).toEqual({
      tone: "busy",
      text: "waiting for the runtime library 54/110",
    });
  });

  it("says which of several processes does not run, though others do", () => {
    const process = (name: string, state: BinaryStatus["state"]) => {
      const { binary: _, topologyHash: __, ...status } = binary(state, 11_000);
      return { name, ...status };
    };
    const two = (
      state: BinaryStatus["state"],
      detail: string,
      second: BinaryStatus["state"],
    ): BinaryStatus => ({
      ...binary(state, 11_000),
      detail,
      processes: [process("hello", "running"), process("hello.2", second)],
    });
    expect(words([two("running", "", "running")])).toBe("hello running · 1 s");
    const failed = two("running", "1 of 2 failed: 3 crashes in 30 s", "failed");
    expect(stateWords(built, idleBench, [failed], 0, 12_000)).toEqual({
      tone: "bad",
      text: "hello 1 of 2 failed: 3 crashes in 30 s",
    });
    const crashed = two("crashed", "1 of 2 crashed (SIGKILL)", "crashed");
    expect(words([crashed])).toBe("hello 1 of 2 crashed (SIGKILL)");
    const refused = { ...binary("failed", 1), detail: "hello has no keys that it can use" };
    expect(words([refused])).toBe("hello has no keys that it can use");
    expect(isAlive(crashed)).toBe(true);
    expect(isAlive(binary("crashed", 1))).toBe(false);
  });

  it("says what is attached like what runs, and that it does not answer in words of no crash", () => {
    const attached = (state: BinaryStatus["state"]): BinaryStatus => {
      const { binary: _, topologyHash: __, ...status } = binary(state, 11_000);
      return { ...binary(state, 11_000), processes: [{ name: "hello@9901", ...status, attached: true }] };
    };
    expect(words([attached("running")])).toBe("hello running · 1 s");
    expect(stateWords(built, idleBench, [attached("lost")], 0, 12_000)).toEqual({
      tone: "warn",
      text: "hello@9901 does not answer",
    });
    expect([isAlive(attached("running")), isOwnAlive(attached("running"))]).toEqual([true, false]);
    expect([isAlive(attached("lost")), isOwnAlive(binary("running", 1))]).toEqual([false, true]);
  });

  it("says what runs, and for how long", () => {
    expect(words([binary("running", 11_000)])).toBe("hello running · 1 s");
    expect(words([binary("running", 11_000)], 0, 11_000 + 199_000)).toBe("hello running · 3 m");
    expect(words([binary("running", 11_000)], 0, 11_000 + 7_300_000)).toBe("hello running · 2 h 1 m");
    expect(stateWords({ ...built, phase: "failed" }, idleBench, [binary("running", 1)], 1, 2).text).toBe(
      "build failed · last good binary runs on",
    );
  });
});

it("says what kept a build from beginning: only the drawing", () => {
  const wrong = (part: object) =>
    ({ code: "PS402", severity: "error", message: "", pointer: "", help: "", ...part }) as Problem;
  const pill = (problems: Problem[], binaries: BinaryStatus[] = []) =>
    stateWords({ ...built, phase: "failed", problems }, idleBench, binaries, 1, 2).text;
  expect(pill([wrong({}), wrong({ code: "PS850", severity: "warning" })])).toBe("not built");
  expect(pill([wrong({})], [binary("running", 1)])).toBe("not built · last good binary runs on");
  expect(pill([wrong({}), wrong({ code: "PS850", file: "src/a.cpp" })])).toBe("build failed");
  expect(pill([wrong({ code: "PS874" })], [binary("running", 1)])).toBe(
    "not built · last good binary runs on",
  );
  expect(pill([])).toBe("build failed");
});

describe("failureStands", () => {
  const problem = { code: "PS850", severity: "error", message: "", pointer: "", help: "" } as const;
  const failed: BuildStatus = { ...built, phase: "failed", problems: [problem] };

  it("is over when all that the errors named is gone", () => {
    expect(failureStands(failed, () => true)).toBe(true);
    expect(failureStands(failed, () => false)).toBe(false);
  });

  it("is over with the drawing's own errors, whatever else runs badly", () => {
    const refused = { ...problem, code: "PS402" };
    const crashed = { ...problem, code: "PS877" };
    const both = { ...failed, problems: [refused, crashed] };
    expect(failureStands(both, ({ code }) => code === "PS877")).toBe(false);
    expect(failureStands(both, () => true)).toBe(true);
    expect(failureStands({ ...failed, problems: [{ ...problem, code: "PS874" }] }, () => true)).toBe(true);
  });

  it("stays for a failure without a named error", () => {
    expect(failureStands({ ...failed, problems: [] }, () => false)).toBe(true);
    expect(failureStands({ ...failed, problems: [{ ...problem, severity: "warning" }] }, () => false)).toBe(
      true,
    );
  });
});
