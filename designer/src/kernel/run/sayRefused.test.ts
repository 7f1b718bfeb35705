import type { Problem } from "@penstock/codegen/diagnostics";
import { expect, it } from "vitest";
import { isRefused } from "./sayRefused.js";

const error = (code: string, file?: string): Problem => ({
  ...{ code, severity: "error", message: code, pointer: "", help: "" },
  ...(file === undefined ? {} : { file }),
});

it("knows a drawing of which nothing was made, whatever else runs badly", () => {
  const crashed = error("PS877");
  expect(isRefused([error("PS402")])).toBe(true);
  expect(isRefused([error("PS874")])).toBe(true);
  expect(isRefused([error("PS402"), crashed])).toBe(true);
  expect(isRefused([crashed])).toBe(false);
  expect(isRefused([error("PS850", "src/a.cpp"), crashed, error("PS874")])).toBe(false);
  expect(isRefused([])).toBe(false);
});
