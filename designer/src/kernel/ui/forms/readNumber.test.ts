import { describe, expect, it } from "vitest";
import { readNumber } from "./readNumber.js";

describe("readNumber", () => {
  it("takes whole numbers in range, with spaces for thousands", () => {
    expect(readNumber(" 1 024 ", { min: 1, max: 1_048_576 })).toEqual({ value: 1024 });
    expect(readNumber("", { min: 1 })).toEqual({ value: undefined });
    expect(readNumber(" ", { min: 1, required: true }).error).toBe("Type a whole number");
  });
  it("says the range", () => {
    expect(readNumber("0", { min: 1, max: 1024 }).error).toBe("Must be 1 to 1024");
    expect(readNumber("1e9", { min: 1, max: 1024 }).error).toBe("Must be 1 to 1024");
    expect(readNumber("-1", { min: 0 }).error).toBe("Must be at least 0");
    expect(readNumber("1e30", { min: 0 }).error).toBe("Must be at most 9007199254740991");
    expect(readNumber("1e30", { fractions: true })).toEqual({ value: 1e30 });
  });
  it("refuses what is no number", () => {
    expect(readNumber("many", {}).error).toBe("Type a whole number");
    expect(readNumber("1.5", {}).error).toBe("Type a whole number");
    expect(readNumber("1.5", { fractions: true })).toEqual({ value: 1.5 });
  });
});
