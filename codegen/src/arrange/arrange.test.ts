import { describe, expect, it } from "vitest";
import type { Command, LiveSchema } from "../contract/index.js";
import {
  threadCount,
  topologySchema,
  type Join,
  type Thread,
  type Topology,
} from "../model/topology/index.js";
import {
  drawnThreadLayout,
  threadLayoutOf,
  differences,
  differencesDrawn,
  differenceWords,
  drawnAs,
  drawnWithPoolSize,
  findPreset,
  savePreset,
  rearrange,
  type ThreadLayout,
} from "./index.js";

const drawn = topologySchema.parse({
  penstock: 1,
  name: "shop",
  messages: [{ name: "A" }],
  services: ["S", "T", "U"].map((name) => ({ name, request: "A", response: "A" })),
  flows: [
    {
      name: "F",
      event: "A",
      source: { kind: "rate", perSecond: 1 },
      stages: [
        { id: "s", service: "S" },
        { id: "t", service: "T", join: { pool: "back" } },
        { id: "u", service: "U", join: { threads: 2, queue: 16 } },
      ],
    },
  ],
  bundles: [{ name: "B", services: ["S", "T", "U"], flows: ["F"] }],
  binaries: [
    {
      name: "b",
      bundles: ["B"],
      pools: [
        { name: "front", threads: [{ cpus: [0] }] },
        { name: "back", threads: [{}, {}] },
      ],
      placement: { S: { pool: "front" } },
    },
  ],
});
const [binary] = drawn.binaries;

const pool = (
  id: number,
  name: string,
  threads: number[][],
  more: object = {},
): LiveSchema["pools"][number] => ({
  id,
  name,
  queue: 1024,
  overflow: "block",
  idle: "adaptive",
  priority: 0,
  threads: threads.map((asked, index) => ({ name: `${name}-${index}`, tid: index, asked, actual: asked })),
  ...more,
});
const schema = (joins: (number | null)[], pools: LiveSchema["pools"]): LiveSchema =>
  ({
    services: ["S", "T", "U"].map((name, id) => ({ id, name, pool: 0 })),
    flows: [
      {
        id: 0,
        name: "F",
        stages: ["s", "t", "u"].map((id, at) => ({ id, service: at, pool: joins[at] ?? null })),
      },
    ],
    pools,
  }) as unknown as LiveSchema;
const PLAIN = [pool(0, "front", [[0]]), pool(1, "back", [[], []])];
const asDrawn = schema([0, 1, 2], [...PLAIN, pool(2, "F.u", [[], []], { queue: 16 })]);

const words = (from: ThreadLayout, to: ThreadLayout) => differences(from, to).map(differenceWords);

describe("a layout of threads", () => {
  it("is the same of a drawing and of the binary that was made of it", () => {
    expect(threadLayoutOf(asDrawn)).toEqual(drawnThreadLayout(drawn, binary!));
  });

  it("of a first stage without a join is the pool of its service, whatever the binary says of it", () => {
    expect(words(threadLayoutOf(schema([null, 1, null], PLAIN)), drawnThreadLayout(drawn, binary!))).toEqual([
      "F/u: no join → 2 threads of its own, queue 16",
    ]);
  });

  it("leaves out pools that a join has left, and tells cached ones", () => {
    const left = schema([0, 1, 3], [...PLAIN, pool(2, "F.t", []), pool(3, "F.u", [[]], { cached: true })]);
    expect(threadLayoutOf(left).joins[2]).toEqual({
      flow: "F",
      stage: "u",
      join: { threads: "cached", queue: 1024, overflow: "block" },
    });
    expect(threadLayoutOf(left).pools.map(({ name }) => name)).toEqual(["front", "back"]);
  });

  it("says what differs, and nothing of what one of the two does not name", () => {
    const other: ThreadLayout = {
      pools: [
        { name: "front", threads: [{ cpus: [1] }] },
        { name: "back", threads: [{}] },
        { name: "gone", threads: [{}] },
      ],
      joins: [
        { flow: "F", stage: "t" },
        { flow: "F", stage: "gone" },
      ],
    };
    expect(words(threadLayoutOf(asDrawn), other)).toEqual([
      "front: 0 on CPU 0 → 0 on CPU 1",
      "back: 2 → 1 thread",
      "F/t: pool back → no join",
    ]);
  });

  it("becomes the drawing: what it does not name stays as it is drawn", () => {
    const night: ThreadLayout = {
      pools: [{ name: "back", threads: [{}, {}, {}] }],
      joins: [
        { flow: "F", stage: "s", join: { pool: "front" } },
        { flow: "F", stage: "t" },
      ],
    };
    const after = drawnAs(drawn, "b", night);
    expect(after.binaries[0]?.pools.map(({ threads }) => threadCount(threads))).toEqual([1, 3]);
    expect(after.flows[0]?.stages.map(({ join }) => join)).toEqual([
      undefined,
      undefined,
      { threads: 2, queue: 16, overflow: "block" },
    ]);
  });

  describe("drawn where threads come and go", () => {
    const bounds = { from: 2, to: 32 };
    const bounded: Topology = {
      ...drawn,
      binaries: [
        {
          ...binary!,
          pools: binary!.pools.map((one) => (one.name === "back" ? { ...one, threads: bounds } : one)),
        },
      ],
    };
    const layout = (threads: Thread[]): ThreadLayout => ({ pools: [{ name: "back", threads }], joins: [] });

    it.each([2, 5, 32])("leaves bounds that hold its %i threads", (count) => {
      const wanted = layout(Array.from({ length: count }, () => ({})));
      expect(drawnAs(bounded, "b", wanted)).toEqual(bounded);
      expect(differencesDrawn(bounded, "b", wanted)).toEqual([]);
    });

    it.each([1, 33])(
      "puts its %i threads in the place of bounds that do not hold them, and says so",
      (count) => {
        const wanted = layout(Array.from({ length: count }, () => ({})));
        expect(drawnAs(bounded, "b", wanted).binaries[0]?.pools[1]?.threads).toHaveLength(count);
        expect(differencesDrawn(bounded, "b", wanted)).toHaveLength(1);
      },
    );

    it("draws its pins: threads that come and go have none", () => {
      const wanted = layout([{ cpus: [3] }, {}]);
      expect(drawnAs(bounded, "b", wanted).binaries[0]?.pools[1]?.threads).toEqual([{ cpus: [3] }, {}]);
      expect(differencesDrawn(bounded, "b", wanted).map(differenceWords)).toEqual([
        "back: no pins → 0 on CPU 3",
      ]);
    });

    it("gives way to a number that is asked for", () => {
      expect(drawnWithPoolSize(bounded, "b", "back", 5).binaries[0]?.pools[1]?.threads).toHaveLength(5);
    });
  });

  it("has no join before a stage that another binary runs, and draws none there", () => {
    const [first, ...more] = drawn.bundles;
    const apart: Topology = {
      ...drawn,
      bundles: [
        { ...first!, services: ["S", "T"] },
        { ...first!, name: "Far", services: ["U"], flows: [] },
        ...more,
      ],
      binaries: [...drawn.binaries, { ...binary!, name: "far", bundles: ["Far"] }],
    };
    const runs = threadLayoutOf(schema([0, 1, null], PLAIN));
    expect(runs).toEqual(drawnThreadLayout(apart, apart.binaries[0]!));
    expect(drawnAs(apart, "b", runs)).toEqual(apart);
  });
});

/** A binary that refuses what would leave the stage u on one thread. */
class Binary {
  sizes = new Map([
    ["front", 1],
    ["back", 2],
  ]);
  joins = new Map<string, Join | null>([
    ["t", { pool: "back" }],
    ["u", null],
  ]);
  asked: string[] = [];
  ask = async (ask: Command): Promise<void> => {
    this.asked.push(ask.method);
    const [sizes, joins] = [new Map(this.sizes), new Map(this.joins)];
    if (ask.method === "pool.resize") sizes.set(ask.params.pool, ask.params.threads);
    if (ask.method === "join.set") joins.set(ask.params.stage, ask.params.join as Join);
    if (ask.method === "join.remove") joins.set(ask.params.stage, null);
    const at = joins.get("u") ?? joins.get("t") ?? { pool: "front" };
    if (("pool" in at ? sizes.get(at.pool) : at.threads) === 1) throw new Error("u would run on one thread");
    Object.assign(this, { sizes, joins });
  };
}
const from: ThreadLayout = {
  pools: [{ name: "back", threads: [{}, {}] }],
  joins: [
    { flow: "F", stage: "t", join: { pool: "back" } },
    { flow: "F", stage: "u" },
  ],
};

describe("rearrange", () => {
  it("asks again for what is refused only while something else stands in its way", async () => {
    const running = new Binary();
    const own: Join = { threads: 4, queue: 1024, overflow: "block" };
    await rearrange(
      running.ask,
      differences(from, {
        pools: [{ name: "back", threads: [{}] }],
        joins: [
          { flow: "F", stage: "t" },
          { flow: "F", stage: "u", join: own },
        ],
      }),
    );
    expect(running.joins).toEqual(
      new Map([
        ["t", null],
        ["u", own],
      ]),
    );
    expect(running.sizes.get("back")).toBe(1);
  });

  it("takes everything back when one change is refused for good, and says why", async () => {
    const running = new Binary();
    const wanted = differences(from, {
      pools: [{ name: "back", threads: [{}, {}, {}] }],
      joins: [{ flow: "F", stage: "t", join: { pool: "front" } }],
    });
    await expect(rearrange(running.ask, wanted)).rejects.toThrow("u would run on one thread");
    expect(running.sizes.get("back")).toBe(2);
    expect(running.joins.get("t")).toEqual({ pool: "back" });
  });

  it("grows pools first and shrinks them last", async () => {
    const running = new Binary();
    await rearrange(
      running.ask,
      differences(
        { pools: [...from.pools, { name: "front", threads: [{}] }], joins: from.joins },
        {
          pools: [
            { name: "back", threads: [{}] },
            { name: "front", threads: [{}, {}] },
          ],
          joins: [{ flow: "F", stage: "t", join: { pool: "front" } }],
        },
      ),
    );
    expect(running.asked).toEqual(["pool.resize", "join.set", "pool.resize"]);
  });
});

describe("a preset", () => {
  it("leaves the built-in pool out where it is not drawn: its size is the machine's", () => {
    const threadLayout: ThreadLayout = {
      pools: ["default", "back"].map((name) => ({ name, threads: [{}] })),
      joins: [{ flow: "F", stage: "t" }],
    };
    expect(findPreset(savePreset(drawn, "b", "night", threadLayout), "b", "night")).toEqual({
      name: "night",
      pools: [{ name: "back", threads: [{}] }],
      joins: threadLayout.joins,
    });
    const sized = drawnWithPoolSize(drawn, "b", "default", 3);
    expect(findPreset(savePreset(sized, "b", "night", threadLayout), "b", "night")?.pools).toHaveLength(2);
  });
});

describe("another size of a pool in the drawing", () => {
  const sizes = (pool: string, threads: number) => {
    const after = drawnWithPoolSize(drawn, "b", pool, threads);
    return [
      after.binaries[0]?.pools.map(({ name, threads: all }) => `${name} ${JSON.stringify(all)}`),
      after.flows[0]?.stages[2]?.join,
    ];
  };
  const own = { threads: 2, queue: 16, overflow: "block" };

  it("keeps the pins that stay", () => {
    expect(sizes("front", 2)).toEqual([['front [{"cpus":[0]},{}]', "back [{},{}]"], own]);
  });

  it("is that of the join, where the pool is its own", () => {
    expect(sizes("F.u", 5)[1]).toEqual({ ...own, threads: 5 });
  });

  it("lists the built-in pool", () => {
    expect(sizes("default", 1)[0]).toEqual(['front [{"cpus":[0]}]', "back [{},{}]", "default [{}]"]);
  });

  it("is the same drawing where there is nothing to change", () => {
    expect(drawnWithPoolSize(drawn, "b", "back", 2)).toBe(drawn);
    expect(drawnWithPoolSize(drawn, "b", "gone", 2)).toBe(drawn);
    expect(drawnWithPoolSize(drawn, "b", "F.u", 2)).toBe(drawn);
  });
});
