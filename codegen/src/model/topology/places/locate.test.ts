import { describe, expect, it } from "vitest";
import { problem } from "../../diagnostics/index.js";
import { located } from "../index.js";
import { placesOf } from "../../json/index.js";
import { positionOf } from "../../text/index.js";

const TEXT = `{
  "penstock": 1,
  "services": [
    { "name": "Ä𝄞b", "calls": ["X",
        "Y"] }, {}
  ],
  "a/b~c": { "": [[], [true]] }
}
`;
const at = (pointer: string, text = TEXT) => {
  const { line, column } = located([problem("PS122", pointer, "")], text)[0]!;
  return [line, column];
};

describe("line and column of a problem", () => {
  it("are those of its key, of its item in a list, or of the document", () => {
    expect(at("")).toEqual([1, 1]);
    expect(at("/penstock")).toEqual([2, 3]);
    expect(at("/services/0")).toEqual([4, 5]);
    // Columns count characters, one each, whatever they take in memory.
    expect(at("/services/0/calls")).toEqual([4, 22]);
    expect(at("/services/0/calls/1")).toEqual([5, 9]);
    expect(at("/services/1")).toEqual([5, 17]);
    expect(at("/a~1b~0c//1/0")).toEqual([7, 24]);
  });

  it("of a thread are those of the object or number that says how many are alike", () => {
    const drawn = (threads: string) => `{ "binaries": [ { "pools": [ { "threads": ${threads} } ] } ] }`;
    const threads = "/binaries/0/pools/0/threads";
    const list = drawn('[ { "count": 2 }, { "cpus": [0, 1] } ]');
    expect(at(`${threads}/0`, list)).toEqual(at(`${threads}/1`, list));
    expect(at(`${threads}/2/cpus/1`, list)).toEqual([1, list.indexOf("1]") + 1]);
    expect(at(`${threads}/7/cpus/0`, drawn("40"))).toEqual(at(threads, drawn("40")));
  });

  it("are those of what holds it where the text leaves it out", () => {
    expect(at("/services/1/calls/3")).toEqual([5, 17]);
    expect(at("/bundles")).toEqual([1, 1]);
  });

  it("are of the bytes of a file as well, with or without a mark", () => {
    for (const mark of ["", "\uFEFF"]) {
      const bytes = new TextEncoder().encode(mark + TEXT);
      expect(located([problem("PS122", "/services/1", "")], bytes)[0]).toMatchObject({ line: 5, column: 17 });
    }
  });

  it("stay where they are known, or in another file", () => {
    const known = problem("PS101", "", "", { line: 7, column: 2 });
    const elsewhere = problem("PS707", "", "", { file: "nodes/x/node.json" });
    expect(located([known, elsewhere], TEXT)).toEqual([known, elsewhere]);
  });

  it("are found for thousands of places of one line in one pass", () => {
    const list = Array.from({ length: 20_000 }, (_, n) => n);
    const text = JSON.stringify({ list });
    const places = placesOf(
      text,
      list.map((n) => `/list/${n}`),
    );
    expect(places.size).toBe(list.length);
    expect(places.get("/list/19999")).toEqual(positionOf(text, text.lastIndexOf("19999")));
  });
});
