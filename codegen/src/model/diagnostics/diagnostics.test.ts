import { describe, expect, it } from "vitest";
import {
  CATALOGUE,
  isClean,
  pathOf,
  pointerOf,
  problem,
  quote,
  quoteList,
  suggest,
  suggestionBudget,
} from "./index.js";

describe("a problem", () => {
  it("has severity and help from the catalogue unless more is known", () => {
    expect(problem("PS887", "/services/0", "Alone")).toEqual({
      code: "PS887",
      severity: "warning",
      message: "Alone",
      pointer: "/services/0",
      help: CATALOGUE.PS887.help,
    });
    expect(problem("PS122", "", "x", { severity: "warning", help: "y" })).toMatchObject({
      severity: "warning",
      help: "y",
    });
    expect(isClean([problem("PS887", "", "")])).toBe(true);
    expect(isClean([problem("PS101", "", "")])).toBe(false);
  });

  it("points by RFC 6901", () => {
    expect(pointerOf("a/b", 0, "m~n")).toBe("/a~1b/0/m~0n");
    expect(pathOf("/a~1b/0/m~0n")).toEqual(["a/b", "0", "m~n"]);
    expect(pointerOf()).toBe("");
    expect(pathOf("")).toEqual([]);
  });
});

describe("texts of users inside messages", () => {
  it("row 66: cannot turn a line round, hide in it or flood it", () => {
    expect(quote("evil\u202etxt\u0000\n")).toBe('"evil\\u{202e}txt\\u{0}\\u{a}"');
    expect(quote("a".repeat(10_000)).length).toBeLessThan(70);
    expect(quote("größe")).toBe('"größe"');
  });

  it("stay one line as lists", () => {
    expect(quoteList(["a"])).toBe('"a"');
    expect(quoteList(["a", "b", "c"])).toBe('"a", "b" and "c"');
    expect(
      quoteList(
        Array.from({ length: 9 }, (_, at) => String(at)),
        2,
      ),
    ).toBe('"0", "1" and 7 more');
  });
});

describe("suggestions", () => {
  it("are near, and none is better than a far one", () => {
    const names = ["GetAd", "ProduceAd", "LogAd"];
    expect(suggest("getad", names)).toBe("GetAd");
    expect(suggest("ProudceAd", names)).toBe("ProduceAd");
    expect(suggest("Telescope", names)).toBeUndefined();
    expect(suggest("", names)).toBeUndefined();
    expect(suggest("G".repeat(1000), names)).toBeUndefined();
  });

  it("of one check look at so many names at most, however many are wrong", () => {
    let looked = 0;
    const names = function* () {
      for (let n = 0; n < 3000; n++) {
        looked += 1;
        yield `AServiceWithALongNameOfManyWords${n}`;
      }
    };
    const budget = suggestionBudget();
    const found = Array.from({ length: 3000 }, (_, n) =>
      suggest(`BServiceWithALongNameOfManyWords${n}`, names(), budget),
    );
    expect(found[0]).toBe("AServiceWithALongNameOfManyWords0");
    expect(found.at(-1)).toBeUndefined();
    expect(looked).toBeLessThan(200_000);
    expect(suggest("GetAdd", ["GetAd"])).toBe("GetAd");
  });
});
