import type { Problem } from "@penstock/codegen/diagnostics";
import { renderHook } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { select } from "../document/index.js";
import { setBuildProblems, setDrawnProblems } from "./problemStore.js";
import { useMarks } from "./useMarks.js";

const wrong = (code: string, node: string): Problem => ({
  ...{ code, node, severity: "error", message: code, pointer: "", help: "" },
});
const noStage = wrong("PS402", "flow:F");
const red = () => [...renderHook(useMarks).result.current.keys()];

beforeEach(() => {
  setDrawnProblems([noStage, wrong("PS402", "flow:G")]);
  setBuildProblems([]);
  select("flow:F");
});

it("a source that is just drawn is not red for the stage that it has not yet, until it is left so", () => {
  expect(red()).toEqual(["flow:G"]);
  select("flow:G");
  expect(red()).toEqual(["flow:F"]);
});

it("is red when somebody tried to generate, and for anything else that is wrong with it", () => {
  setBuildProblems([noStage]);
  expect(red()).toContain("flow:F");
  setBuildProblems([]);
  setDrawnProblems([noStage, wrong("PS420", "flow:F")]);
  expect(red()).toContain("flow:F");
});
