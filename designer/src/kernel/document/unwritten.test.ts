import type { SourceFile } from "@penstock/codegen/contract";
import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { setSourceFiles, useUnwritten } from "./unwritten.js";

const file = (path: string, node: string, written: boolean): SourceFile => ({
  id: path,
  path,
  node,
  owner: "user",
  written,
});

it("knows a service as unwritten by its handler alone, not by its untouched test", () => {
  setSourceFiles([
    file("src/services/get_ad.cpp", "service:GetAd", true),
    file("tests/get_ad_test.cpp", "service:GetAd", false),
    file("src/services/produce_ad/model_a.cpp", "service:ProduceAd", true),
    file("src/services/produce_ad/model_b.cpp", "service:ProduceAd", false),
    file("src/flows/impressions.cpp", "flow:Impressions", false),
  ]);
  expect([...renderHook(() => useUnwritten()).result.current]).toEqual(["ProduceAd"]);
});
