import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkDocument, validateTopology } from "../../validate/index.js";
import { parseTopology, printTopology, topologyHash, type Topology } from "../index.js";
import { Random, seedOf } from "../testing/random.js";
import { randomTopology } from "../testing/randomTopology.js";

const sample = readFileSync(new URL("../testing/fixtures/sample.json", import.meta.url), "utf8");

function read(text: string): Topology {
  const { topology, problems } = parseTopology(text);
  if (topology === undefined) throw new Error(JSON.stringify(problems));
  return topology;
}

describe("printing", () => {
  it("gives the sample of the format, written by hand, its own bytes", () => {
    expect(printTopology(read(sample))).toBe(sample);
    expect(checkDocument(sample).problems).toEqual([]);
  });

  it("and reading again is stable to the byte for any topology", () => {
    const seed = seedOf(process.env["PENSTOCK_SEED"]);
    const random = new Random(seed);
    for (let round = 0; round < 150; round++) {
      const topology = randomTopology(random);
      const text = printTopology(topology);
      const again = read(text);
      expect(printTopology(again), `PENSTOCK_SEED=${seed}`).toBe(text);
      expect(topologyHash(again), `PENSTOCK_SEED=${seed}`).toBe(topologyHash(topology));
      expect(() => validateTopology(topology), `PENSTOCK_SEED=${seed}`).not.toThrow();
    }
  });

  it("says that a list is not packed, which is no default", () => {
    const field = { name: "sizes", type: "int32", tag: 1, repeated: true, packed: false };
    const drawn = read(
      JSON.stringify({ penstock: 1, name: "a", messages: [{ name: "A", fields: [field] }] }),
    );
    expect(printTopology(drawn)).toContain('"repeated": true, "packed": false }');
  });

  it("leaves defaults out and sorts maps, so that equal topologies have equal texts", () => {
    const verbose = `{ "binaries": [ { "control": "127.0.0.1:0", "placement": { "B": {}, "A": { "pool": "p" } }, "listen": [],
      "pools": [ { "queue": 1024, "priority": 0, "threads": [ { "cpus": [] } ], "idle": "adaptive", "overflow": "block", "name": "p" } ],
      "name": "b" } ], "messages": [], "name": "a", "penstock": 1 }`;
    expect(printTopology(read(verbose))).toBe(`{
  "penstock": 1,
  "name": "a",
  "binaries": [
    {
      "name": "b",
      "pools": [ { "name": "p", "threads": 1 } ],
      "placement": { "A": { "pool": "p" }, "B": {} }
    }
  ]
}
`);
  });

  it.each([
    ["40", "40", 40],
    ['[ { "count": 40 } ]', "40", 40],
    ['[ {}, {}, { "cpus": [] } ]', "3", 3],
    ['[ { "cpus": [0] }, { "count": 2 }, {} ]', '[ { "cpus": [0] }, { "count": 3 } ]', 4],
    ['[ { "cpus": [0, 1] }, { "cpus": [0, 1] } ]', '[ { "count": 2, "cpus": [0, 1] } ]', 2],
  ])("says threads %s as %s", (written, printed, count) => {
    const drawn = read(
      `{ "penstock": 1, "name": "a", "binaries": [ { "name": "b", "pools": [ { "name": "p", "threads": ${written} } ] } ] }`,
    );
    expect(drawn.binaries[0]?.pools[0]?.threads).toHaveLength(count);
    expect(printTopology(drawn)).toContain(`{ "name": "p", "threads": ${printed} }`);
  });

  it("keeps the bounds of a pool whose threads come and go", () => {
    const text = `{
  "penstock": 1,
  "name": "a",
  "binaries": [
    { "name": "b", "pools": [ { "name": "p", "threads": { "from": 2, "to": 32 } } ] }
  ]
}
`;
    const drawn = read(text);
    expect(printTopology(drawn)).toBe(text);
    expect(topologyHash(drawn)).not.toBe(topologyHash(read(text.replace("32", "33"))));
  });

  it("keeps the rules of a binary, and takes the presets that they bring into force for a part of what runs", () => {
    const text = `{
  "penstock": 1,
  "name": "a",
  "binaries": [
    {
      "name": "b",
      "presets": [ { "name": "calm" }, { "name": "busy" }, { "name": "night" } ],
      "rules": [
        {
          "of": "F",
          "below": { "perSecond": 1000, "preset": "calm" },
          "above": { "perSecond": 5000, "preset": "busy" },
          "forSeconds": 9
        }
      ]
    }
  ]
}
`;
    const drawn = read(text);
    expect(printTopology(drawn)).toBe(text);
    const hashWith = (from: string, to: string) => topologyHash(read(text.replace(from, to)));
    const hash = topologyHash(drawn);
    expect(hashWith('"name": "night"', '"name": "evening"')).toBe(hash);
    expect(hashWith('"name": "busy"', '"name": "busy", "pools": [ { "name": "p", "threads": 3 } ]')).not.toBe(
      hash,
    );
    expect(hashWith("9", "8")).not.toBe(hash);
    expect(printTopology(read(text.replace("9", "5")))).not.toContain("forSeconds");
  });

  it("changes one line when a field is added to a long message", () => {
    const before = read(sample);
    const [first, ...rest] = before.messages;
    if (first === undefined) throw new Error("no message");
    const fields = [
      ...first.fields.slice(0, 1),
      { name: "page", type: "string", tag: 3 },
      ...first.fields.slice(1),
    ];
    const after = printTopology({ ...before, messages: [{ ...first, fields }, ...rest] }).split("\n");
    const lines = new Set(sample.split("\n"));
    expect(after.filter((line) => !lines.has(line))).toEqual([
      '        { "name": "page", "type": "string", "tag": 3 },',
    ]);
  });
});

describe("the hash", () => {
  it("is what it was when each thread was an object", () => {
    const pools = [{ name: "p", threads: 3 }];
    const drawn = read(JSON.stringify({ penstock: 1, name: "a", binaries: [{ name: "b", pools }] }));
    expect(topologyHash(drawn)).toBe(
      "sha256:4c023cbe1638bd382ad8f655cfeaacee8330adcfa15d038a0869888806d42ccb",
    );
  });

  it("is that of the meaning: docs, defaults and the order of keys do not matter, all else does", () => {
    const topology = read(sample);
    const hash = topologyHash(topology);
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(topologyHash({ ...topology, doc: "Another text" })).toBe(hash);
    expect(
      topologyHash(
        read(sample.replace('"kind": "single-threaded"', '"kind": "single-threaded", "calls": []')),
      ),
    ).toBe(hash);
    expect(topologyHash({ ...topology, name: "other" })).not.toBe(hash);
    expect(topologyHash({ ...topology, services: topology.services.toReversed() })).not.toBe(hash);
  });
});
