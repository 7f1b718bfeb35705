import { expect, it } from "vitest";
import { readReserved, reservedText } from "./reservedText.js";

it("reads and writes numbers, ranges and names as a .proto has them", () => {
  const reserved = { numbers: [4, [9, 11] as [number, number]], names: ["old_name"] };
  expect(reservedText(reserved)).toBe("4, 9 to 11, old_name");
  expect(readReserved("4, 9 to 11, old_name")).toEqual({ reserved });
  expect(readReserved(' 4 ,9..11, "old_name",')).toEqual({ reserved });
  expect(readReserved("100 to max", 200)).toEqual({ reserved: { numbers: [[100, 200]], names: [] } });
  expect(readReserved("3 to 3")).toEqual({ reserved: { numbers: [3], names: [] } });
  expect(readReserved("-2 to -1")).toEqual({ reserved: { numbers: [[-2, -1]], names: [] } });
});

it("is gone when nothing is left", () => {
  expect(readReserved(" , ")).toEqual({ reserved: undefined });
});

it("says which part is none of them", () => {
  expect(readReserved("4, 9 to")).toEqual({ fault: "9 to is no number, no range (9 to 11) and no name" });
  expect(readReserved("a b")).toHaveProperty("fault");
  expect(readReserved("9".repeat(30))).toEqual({ fault: `${"9".repeat(30)} is too large` });
});
