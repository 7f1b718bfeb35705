import { describe, expect, it } from "vitest";
import { compilerPlace } from "./compilerPlace.js";

describe("compilerPlace", () => {
  it("reads where a compiler says an error is", () => {
    expect(
      compilerPlace("src/services/get_ad.cpp:12:15: error: 'const struct Ad' has no member named 'scor'"),
    ).toMatchObject({
      file: "src/services/get_ad.cpp",
      line: 12,
      column: 15,
      severity: "error",
      message: "'const struct Ad' has no member named 'scor'",
    });
    expect(compilerPlace("a b.hpp:1:2: warning: unused")?.severity).toBe("warning");
    expect(compilerPlace("a.hpp:1:2: fatal error: x.h: No such file")?.severity).toBe("error");
  });
  it("leaves other lines alone", () => {
    expect(compilerPlace("[3/14] Building CXX object a.o")).toBeUndefined();
    expect(compilerPlace("   12 |   if (offer.scor > best.score)")).toBeUndefined();
  });
});
