import { describe, expect, it } from "vitest";
import { parseTopology } from "../index.js";
import type { Migration } from "../migrations/index.js";
import { STRUCTS_TO_MESSAGES } from "../testing/oldFormat.js";

const parse = (text: string) => parseTopology(text).problems;

const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;

describe("syntax errors", () => {
  it("say line and column, counted in characters", () => {
    expect(parse('{\n  "penstock": 1,\n  "name" "a" }')[0]).toMatchObject({
      code: "PS101",
      pointer: "",
      line: 3,
      column: 10,
    });
    expect(parse('{ "doc": "😀é", x }')[0]).toMatchObject({ line: 1, column: 16 });
    expect(parse('{\r\n"a": 1,\r"a": 2 }')[0]).toMatchObject({ code: "PS104", line: 3, column: 1 });
  });

  it("of bad UTF-8 point at the first bad byte, behind a byte order mark too", () => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x0a, 0x22, 0xc3, 0xa9, 0xff, 0x22]);
    expect(parseTopology(bytes).problems).toMatchObject([{ code: "PS102", line: 2, column: 3 }]);
  });

  it("that do not stop the reading come all at once", () => {
    const problems = parse('{ "a": 1, "a": "\\u0000", "__proto__": "\\ud800", "constructor": 1 }');
    expect(problems.map(({ code }) => code)).toEqual(["PS106", "PS104", "PS105", "PS107", "PS107"]);
  });

  it("stay few however many a hostile file has", () => {
    expect(parse(`{ ${Array.from({ length: 5000 }, () => '"a": 1').join()} }`).length).toBeLessThanOrEqual(
      101,
    );
  });
});

describe("a sound text", () => {
  it("may start with a byte order mark, as text or bytes", () => {
    const text = '\ufeff{ "penstock": 1, "name": "a" }';
    expect(parseTopology(text).topology?.name).toBe("a");
    expect(parseTopology(new TextEncoder().encode(text)).topology?.name).toBe("a");
  });

  it("row 68: keeps any text of a doc unchanged", () => {
    const doc = '*/ " \\ newline\n ??/ \u2028 <script> \u202e 😀 \u0001';
    expect(parseTopology(JSON.stringify({ penstock: 1, name: "a", doc })).topology?.doc).toBe(doc);
  });

  it("nests 32 deep, and 33 only to be refused", () => {
    expect(parse(nested(32)).map(({ code }) => code)).not.toContain("PS108");
    expect(parse(nested(33)).map(({ code }) => code)).toEqual(["PS108"]);
  });
});

describe("shape errors", () => {
  it("come all at once, unknown keys at themselves, missing ones at their holder", () => {
    const text = `{ "penstock": 1, "nam": "a", "services": [ { "request": 5, "kind": null, "x/y": 1 } ],
      "flows": [ { "name": "F", "event": "E", "source": { "kind": "rate" }, "stages": [ { "id": "s" } ] } ] }`;
    expect(
      parse(text)
        .map(({ code, pointer }) => `${code} ${pointer}`)
        .sort(),
    ).toEqual([
      "PS120 /nam",
      "PS120 /services/0/x~1y",
      "PS121 ",
      "PS121 /flows/0/source",
      "PS121 /flows/0/stages/0",
      "PS121 /services/0",
      "PS122 /services/0/request",
      "PS124 /services/0/kind",
    ]);
  });

  it("by the hundred thousand are answered, too", () => {
    const text = `{ "penstock": 1, "name": "a", "messages": [ ${"0,".repeat(300_000)}0 ] }`;
    expect(parse(text).map(({ code }) => code)).toContain("PS133");
  });

  it("that are only unknown keys leave enough to check the rest, but no topology", () => {
    const result = parseTopology('{ "penstock": 1, "name": "a", "shiny": 1 }');
    expect(result.topology).toBeUndefined();
    expect(result.salvaged?.name).toBe("a");
  });
});

describe("row 76: a newer format", () => {
  it("is refused with a code of its own, whatever else is in it", () => {
    const { topology, problems } = parseTopology('{ "penstock": 7, "services": "elsewhere" }');
    expect(topology).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(problems[0]?.code).toBe("PS110");
    expect(problems[0]?.message).toContain("newer version");
  });
});

describe("row 75: an older format", () => {
  const text = '{ "penstock": 0, "name": "old", "structs": [ { "name": "M" } ] }';

  it("is migrated, and says from which", () => {
    const { topology, problems, migratedFrom } = parseTopology(text, [STRUCTS_TO_MESSAGES]);
    expect(problems).toEqual([]);
    expect(migratedFrom).toBe(0);
    expect(topology).toMatchObject({ penstock: 1, name: "old", messages: [{ name: "M", fields: [] }] });
  });

  it("goes through every step from its own on", () => {
    const before: Migration = {
      ...STRUCTS_TO_MESSAGES,
      from: -1,
      migrate: () => expect.fail("not this one"),
    };
    expect(parseTopology(text, [before, STRUCTS_TO_MESSAGES]).problems).toEqual([]);
  });

  it("is refused with place and reason where it cannot be carried over", () => {
    const both = text.replace('"structs"', '"messages": [], "structs"');
    expect(parseTopology(both, [STRUCTS_TO_MESSAGES])).toMatchObject({
      migratedFrom: 0,
      problems: [{ code: "PS111", pointer: "/structs" }],
    });
  });

  it("that nothing leads on from is no format version", () => {
    expect(parse(text)).toMatchObject([{ code: "PS112", pointer: "/penstock" }]);
  });
});
