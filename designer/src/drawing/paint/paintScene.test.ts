import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import type { Edge, InternalNode } from "@xyflow/react";
import { Position } from "@xyflow/system";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { adsTopology } from "../../testing/ads.js";
import type { Bottleneck } from "../../kernel/live/bottleneck/bottleneck.js";
import { resetLive, STALE_MS, takeSample, takeSchema } from "../../kernel/live/liveStore.js";
import type { ThemeColors } from "../../kernel/ui/look/themeColors.js";
import { paintScene } from "./paintScene.js";

const COLUMN = 6.6;
const colors = new Proxy({}, { get: (_, name) => `the ${String(name)}` }) as ThemeColors;

interface Painted {
  text: string;
  x: number;
  y: number;
  color: string;
}

/** A context that keeps the texts it is given, and what was stroked. */
function recording(): {
  context: CanvasRenderingContext2D;
  texts: Painted[];
  strokes: string[];
  fills: string[];
  cleared: number[][];
  gauges: number[];
} {
  const texts: Painted[] = [];
  const strokes: string[] = [];
  const fills: string[] = [];
  const cleared: number[][] = [];
  const gauges: number[] = [];
  const state: Record<string, unknown> = {
    fillStyle: "",
    strokeStyle: "",
    measureText: (text: string) => ({ width: text.length * COLUMN }),
    fillText: (text: string, x: number, y: number) =>
      texts.push({ text, x, y, color: String(state["fillStyle"]) }),
    stroke: () => strokes.push(String(state["strokeStyle"])),
    strokeRect: () => strokes.push(String(state["strokeStyle"])),
    clearRect: (...box: number[]) => cleared.push(box),
    roundRect: (_x: number, _y: number, width: number, height: number) => height === 4 && gauges.push(width),
    fillRect: () => fills.push(String(state["fillStyle"])),
  };
  const context = new Proxy(state, {
    get: (target, name) => target[String(name)] ?? (() => undefined),
    set: (target, name, value) => {
      target[String(name)] = value;
      return true;
    },
  }) as unknown as CanvasRenderingContext2D;
  return { context, texts, strokes, fills, cleared, gauges };
}

const schema = {
  binary: "ads-server",
  pid: 1,
  startedAtMs: 0,
  sampling: 3,
  services: [
    { id: 1, name: "GetAd", kind: "async-remote", pool: 0, implementations: ["GetAd"], written: true },
    {
      id: 2,
      name: "ProduceAd",
      kind: "sync-remote",
      pool: 1,
      implementations: ["ModelA", "ModelB"],
      written: true,
    },
  ],
  calls: [{ id: 0, from: 1, to: 2, each: true }],
  flows: [
    {
      id: 0,
      name: "Impressions",
      source: { kind: "rate", perSecond: 200 },
      stages: [{ id: "pick", service: 1, role: "map", pool: 0 }],
    },
  ],
  pools: ["front", "models"].map((name, id) => ({
    id,
    name,
    queue: 100,
    overflow: "block",
    idle: "adaptive",
    priority: 0,
    threads: [{ name: `${name}-0`, tid: 5 + id, asked: [], actual: [0] }],
  })),
} as unknown as LiveSchema;
const sample = (t: number): LiveSample =>
  ({
    t,
    seq: t,
    services: [
      [1, t / 5, 0, 0, 0, 3100, 4000, 98_000, 99_000],
      [2, (t / 5) * 3, 0, 0, 0, 49_000, 50_000, 8700, 9000],
    ],
    implementations: [
      [2, 0, t / 5, 0, 40, 40, 40, 40],
      [2, 1, t / 10, 0, 40, 40, 40, 40],
    ],
    calls: [[0, (t / 5) * 3, 0]],
    flows: [[0, t / 5, t / 5, 0, 0, 0, 3000, 4000, 101_000, 102_000]],
    stages: [[0, 0, t / 5, 0, 3100, 4000, 98_000, 99_000]],
    waits: [],
    pools: [
      [0, 95, 1, 1, 0],
      [1, 2, 1, 1, 0],
    ],
    threads: [],
    process: { cpuNs: 0, rssBytes: 0, threads: 2 },
  }) as unknown as LiveSample;

const WIDTH = 200;
const HEIGHT = 90;
function node(id: string, x: number, y: number): InternalNode {
  const port = (left: number, top: number, position: Position) => [
    { id: null, x: left, y: top, width: 0, height: 0, position },
  ];
  return {
    id,
    type: "service",
    data: { name: id.split(/[:/]/).at(-1), icon: "simple", mark: undefined },
    measured: { width: WIDTH, height: HEIGHT },
    internals: {
      z: 0,
      positionAbsolute: { x, y },
      handleBounds: {
        source: port(WIDTH, HEIGHT / 2, Position.Right),
        target: port(0, HEIGHT / 2, Position.Left),
      },
    },
  } as unknown as InternalNode;
}
const nodes = [
  node("flow:Impressions", 0, 0),
  node("stage:Impressions/pick", 400, 0),
  node("service:ProduceAd", 800, 0),
];
const edges = [
  {
    id: "link:Impressions/pick",
    type: "flow",
    source: "flow:Impressions",
    target: "stage:Impressions/pick",
    data: { flow: "Impressions", stage: "pick", slot: true, join: { threads: "1" } },
  },
  {
    id: "call:GetAd>ProduceAd",
    type: "call",
    source: "stage:Impressions/pick",
    target: "service:ProduceAd",
    data: { each: true },
  },
] as unknown as Edge[];

/** What is painted with the canvas moved by so much, and so far away. */
function paint({
  zoom = 1,
  moved = 0,
  later = 0,
  bottlenecks = [] as Bottleneck[],
  more = [] as Edge[],
  drawn = nodes,
} = {}) {
  const { context, texts, strokes, fills, cleared, gauges } = recording();
  const said = paintScene(
    context,
    { topology: adsTopology(), bottlenecks, colors, now: performance.now() + later },
    { width: 1200, height: 300, transform: [moved, 0, zoom] },
    drawn,
    [...edges, ...more],
    (id) => drawn.find((one) => one.id === id),
  );
  const within = (left: number) =>
    texts
      .filter(({ x, y }) => x >= left && x <= left + WIDTH && y >= 0 && y <= HEIGHT)
      .map(({ text }) => text);
  return { texts, strokes, fills, cleared, gauges, within, said };
}

describe("the overlay of live figures", () => {
  beforeEach(() => {
    // Figures grow old by the clock, and are painted as old as they were taken.
    vi.useFakeTimers({ toFake: ["performance"] });
    resetLive();
    takeSchema(schema);
    for (let t = 0; t <= 2000; t += 100) takeSample("ads-server", sample(t));
  });
  afterEach(() => void vi.useRealTimers());

  it("has rate and latency in each box, and a row for each implementation", () => {
    const { within } = paint();
    expect(within(0).join("|")).toMatch(/^200 +p99 101\| +\/s +ms$/);
    expect(within(400).join("|")).toMatch(/^200 +p99 +98\|.*\|p50 3\.1$/);
    expect(within(800)).toContain("ModelA");
    expect(within(800)).toContain("ModelB");
    expect(within(800).join("|")).toMatch(/600 +p99 8\.7\|.*\|p50 +49/);
  });

  it("has the rate on a call, and threads and queue in a join", () => {
    const { texts } = paint();
    expect(texts).toContainEqual(expect.objectContaining({ text: "each · 600/s" }));
    expect(texts).toContainEqual(expect.objectContaining({ text: "1/1" }));
    // Nearly full: in the colour of trouble.
    expect(texts).toContainEqual(expect.objectContaining({ text: "95", color: "the bad" }));
  });

  /** A stage of the flow that another binary runs. */
  const intoFar = () =>
    ({
      ...edges[0],
      id: "link:Impressions/other",
      target: "service:ProduceAd",
      data: { flow: "Impressions", stage: "pick", slot: true, away: { binary: "far", transport: "unix" } },
    }) as unknown as Edge;

  it("has on a line to another binary what carries it and how far that is, and who is down in red", () => {
    const away = {
      ...edges[1],
      data: { each: true, away: { binary: "far", transport: "tcp" } },
    } as unknown as Edge;
    const into = intoFar();
    const said = (down?: string, resentPercent: number | null = null) => {
      const links = [{ id: 0, binary: "far", transport: "unix", ...(down === undefined ? {} : { down }) }];
      takeSchema({ ...schema, links });
      takeSample("ads-server", { ...sample(2100), links: [[0, 1, 0, 0, 0, 0, 84.4, resentPercent]] });
      const { texts, strokes } = paint({ more: [away, into] });
      return { strokes, words: texts.map(({ text, color }) => `${text} ${color}`) };
    };
    const up = said();
    expect(up.words).toContain("each · 600/s the text-2");
    expect(up.words).toContain("unix  84 µs the text-2");
    expect(up.strokes).toEqual([]);
    const down = said("far cannot be reached: tcp://127.0.0.1:1: Connection refused");
    expect(down.words).toContain("each · 600/s the bad");
    expect(down.words).toContain("far down: Connection refused the bad");
    expect(down.strokes).toEqual(["the bad", "the bad"]);
    expect(said(undefined, 0.9).words).toEqual(up.words);
    const degraded = said(undefined, 5.2);
    expect(degraded.words).toContain("each · 600/s the warn");
    expect(degraded.words).toContain("unix  84 µs degraded the warn");
    expect(degraded.strokes).toEqual([]);
    resetLive();
    // As drawn, where no binary tells.
    expect(paint({ more: [away] }).texts).toContainEqual(expect.objectContaining({ text: "tcp" }));
  });

  it("has on a line to another binary the bytes that go there and back, below the calls", () => {
    const away = {
      ...edges[1],
      data: { each: true, away: { binary: "far", transport: "tcp" } },
    } as unknown as Edge;
    takeSchema({ ...schema, links: [{ id: 0, binary: "far", transport: "unix" }] });
    for (const t of [2100, 3100])
      takeSample("ads-server", { ...sample(t), links: [[0, 1, 0, 30 * t, 12 * t, 0, 84.4, null]] });
    const { texts } = paint({ more: [away] });
    const calls = texts.findLast(({ text }) => text === "each · 600/s");
    const wire = texts.find(({ text }) => text === "unix  84 µs ·  42 kB/s");
    expect(wire?.color).toBe("the text-2");
    expect(wire!.y - calls!.y).toBeGreaterThanOrEqual(18);
  });

  it("has the figures of links once, however many lines lead to that binary, and what carries it on each", () => {
    const call = (id: string) =>
      ({ ...edges[1], id, data: { away: { binary: "far", transport: "tcp" } } }) as unknown as Edge;
    takeSchema({ ...schema, links: [{ id: 0, binary: "far", transport: "unix" }] });
    for (const t of [2100, 3100])
      takeSample("ads-server", { ...sample(t), links: [[0, 1, 0, 30 * t, 12 * t, 0, 84.4, null]] });
    const { texts, said } = paint({ more: [call("call:GetAd>A"), call("call:GetAd>B"), intoFar()] });
    const wires = texts.map(({ text }) => text).filter((text) => text.startsWith("unix"));
    expect(wires).toEqual(["unix  84 µs ·  42 kB/s", "unix", "unix"]);
    expect(said.map(({ edge }) => edge)).toEqual(
      expect.arrayContaining(["call:GetAd>A", "call:GetAd>B", "link:Impressions/other"]),
    );
  });

  it("has each figure of links once, also where no line has room for all of them", () => {
    takeSchema({ ...schema, links: [{ id: 0, binary: "far", transport: "unix" }] });
    for (const t of [2100, 3100])
      takeSample("ads-server", { ...sample(t), links: [[0, 1, 0, 30 * t, 12 * t, 0, 84.4, null]] });
    const drawn = [...nodes.slice(0, 2), node("service:ProduceAd", WIDTH + 120, 0)];
    const more = ["a", "b", "c"].map((id) => ({ ...intoFar(), id: `link:Impressions/${id}` }));
    const wires = paint({ more, drawn }).texts.filter(({ text }) => text.startsWith("unix"));
    expect(wires.map(({ text }) => text)).toEqual(["unix  84 µs", "unix ·  42 kB/s", "unix"]);
  });

  it("tells where something is said on lines, in pixels of the view and however many digits it has", () => {
    const { texts, said } = paint({ zoom: 0.5, moved: 30 });
    const label = texts.find(({ text }) => text === "each · 600/s")!;
    const around = said.find(({ y, height }) => y + height / 2 === label.y / 2)!;
    expect(around.width).toBeGreaterThanOrEqual(("each · 600/s".length * COLUMN) / 2);
    expect(around.x).toBeLessThan(30 + label.x / 2);
    expect(around.x + around.width).toBeGreaterThan(30 + (label.x + "each · 600/s".length * COLUMN) / 2);
    expect(said.every(({ width }) => width >= 38)).toBe(true);
    expect(paint({ zoom: 0.1 }).said).toEqual([]);
  });

  it("says what carries a call where no other box lies on it, in fewer words where there is less room", () => {
    takeSchema({ ...schema, links: [{ id: 0, binary: "far", transport: "unix" }] });
    for (const t of [2100, 3100])
      takeSample("ads-server", { ...sample(t), links: [[0, 1, 0, 30 * t, 12 * t, 0, 84.4, null]] });
    const far = {
      id: "call:GetAd>ProduceAd",
      type: "call",
      source: "stage:Impressions/pick",
      target: "service:ProduceAd",
    };
    const call = {
      ...far,
      data: { each: true, away: { binary: "far", transport: "tcp" } },
    } as unknown as Edge;
    const said = (between: number, gap: number) => {
      const ends = [
        node("stage:Impressions/pick", 0, 0),
        node("service:ProduceAd", 200 + 2 * gap + between, 0),
      ];
      const others = between === 0 ? [] : [node("service:Other", 200 + gap, 0)];
      const { texts } = paint({ more: [call], drawn: [...ends, ...others] });
      const { x, text } = texts.find((one) => one.text.startsWith("unix"))!;
      return {
        text,
        isSeen: others.every(
          (one) =>
            x > one.internals.positionAbsolute.x + WIDTH ||
            x + text.length * COLUMN < one.internals.positionAbsolute.x,
        ),
      };
    };
    expect(said(0, 200)).toEqual({ text: "unix  84 µs ·  42 kB/s", isSeen: true });
    expect(said(WIDTH, 200)).toEqual({ text: "unix  84 µs ·  42 kB/s", isSeen: true });
    expect(said(WIDTH, 130)).toEqual({ text: "unix  84 µs", isSeen: true });
  });

  it("has what carries a line where it was, whatever the round trip and the bytes are", () => {
    const away = {
      ...edges[1],
      data: { each: true, away: { binary: "far", transport: "tcp" } },
    } as unknown as Edge;
    const placeOf = (roundTripUs: number, bytes: number) => {
      resetLive();
      takeSchema({ ...schema, links: [{ id: 0, binary: "far", transport: "unix" }] });
      for (const t of [2100, 3100])
        takeSample("ads-server", { ...sample(t), links: [[0, 1, 0, bytes * t, 0, 0, roundTripUs, null]] });
      const wire = paint({ more: [away] }).texts.find(({ text }) => text.startsWith("unix"));
      return [wire?.x, wire?.text.length];
    };
    const [at, letters] = placeOf(84, 42);
    expect(letters).toBe("unix  84 µs ·  42 kB/s".length);
    expect([placeOf(1240, 7), placeOf(123_000, 4200)]).toEqual([
      [at, letters],
      [at, letters],
    ]);
  });

  it.each([
    [300, "unix  84 µs ·  42 kB/s"],
    [120, "unix  84 µs"],
    [70, "unix"],
  ])("says of a line that is %i pixels long what there is room for", (room, said) => {
    const into = intoFar();
    takeSchema({ ...schema, links: [{ id: 0, binary: "far", transport: "unix" }] });
    for (const t of [2100, 3100])
      takeSample("ads-server", {
        ...sample(t),
        links: [[0, 1, 0, 30 * t, 12 * t, 0, 999, null, 84.4, 1200]],
      });
    const drawn = [...nodes.slice(0, 2), node("service:ProduceAd", WIDTH + room, 0)];
    const { texts } = paint({ more: [into], drawn });
    expect(texts.map(({ text }) => text).filter((text) => text.startsWith("unix"))).toEqual([said]);
    const down = "far cannot be reached: it drains";
    takeSchema({ ...schema, links: [{ id: 0, binary: "far", transport: "unix", down }] });
    const words = paint({ more: [into], drawn }).texts.map(({ text }) => text);
    expect(words).toContain(room === 300 ? "far down: it drains" : room === 120 ? "far down" : "down");
  });

  it("keeps the average of an implementation, and the others' bars, in a second without a sample of it", () => {
    [60_000, null, 120_000].forEach((slow, second) => {
      vi.advanceTimersByTime(1000);
      const serviceRuns: LiveSample["serviceRuns"] = [
        [2, 0, 2900, 1, 1, 1, 3000],
        [2, 1, slow, slow, slow, slow, slow],
      ];
      takeSample("ads-server", { ...sample(2100 + 1000 * second), serviceRuns });
      const { within, gauges } = paint();
      expect(within(800)).toEqual(expect.arrayContaining(["3.0", slow === 120_000 ? "90" : "60"]));
      expect(within(800)).not.toContain("–");
      // Of each row its ground, then how full it is.
      const [, quick, whole, slowest] = gauges.slice(-4);
      expect([quick! < 0.06 * whole!, slowest]).toEqual([true, whole]);
    });
  });

  it("compares implementations by what they run, and makes the slow one stand out", () => {
    const parts: Partial<LiveSample> = {
      serviceWaits: [[2, null, 97_000, 1, 1, 1]],
      serviceRuns: [
        [2, null, 5000, 1, 1, 1],
        [2, 0, 2900, 1, 1, 1],
        [2, 1, 148_000, 1, 1, 1],
      ],
    };
    for (const t of [2100, 2200, 3200])
      takeSample("ads-server", { ...sample(t), ...parts, outcomes: [[2, null, 0.08 * t, 0.5 * t, 0, 0]] });
    const { within, texts } = paint();
    expect(within(800)).toEqual(expect.arrayContaining(["2.9", "148"]));
    expect(texts.find(({ text }) => text === "148")?.color).toBe("the warn");
    expect(texts.find(({ text }) => text === "2.9")?.color).toBe("the text-2");
    expect(within(800).join("|")).toMatch(/80 +wait +97\|.*500\/s late/);
  });

  it("says on the bracket of a virtual stage how long all of it runs", () => {
    const fused = {
      type: "flow",
      source: "stage:Impressions/pick",
      target: "service:ProduceAd",
      data: { fused: "blue" },
    } as unknown as Edge;
    expect(paint({ more: [fused] }).texts.filter(({ text }) => /^ran .* p99/.test(text))).toEqual([]);
    takeSample("ads-server", { ...sample(2100), fused: [[0, 0, 2400, 1, 99_000, 1]] });
    const said = paint({ more: [fused] }).texts.find(({ text }) => text === "ran 2.4 ms, p99 99 ms");
    expect(said?.y).toBeLessThan(0);
  });

  it("greys figures of a lost binary and says how old they are", () => {
    const { within, texts } = paint({ later: STALE_MS + 1000 });
    expect(within(0).join("|")).toMatch(/^200\/s\|\d s old$/);
    expect(texts.filter(({ color }) => color === "the text-1")).toEqual([]);
  });

  it("greys a slow implementation of a lost binary as the others, and rings nothing of it", () => {
    const serviceRuns: LiveSample["serviceRuns"] = [
      [2, null, 5000, 1, 1, 1],
      [2, 0, 2900, 1, 1, 1],
      [2, 1, 148_000, 1, 1, 1],
    ];
    for (const t of [2100, 2200, 3200]) takeSample("ads-server", { ...sample(t), serviceRuns });
    const bottleneck = {
      binary: "ads-server",
      pool: "models",
      services: ["ProduceAd"],
    } as unknown as Bottleneck;
    const { texts, strokes } = paint({ later: STALE_MS + 1000, bottlenecks: [bottleneck] });
    expect(texts.find(({ text }) => text === "148")?.color).toBe("the text-3");
    expect(texts.filter(({ color }) => color !== "the text-3")).toEqual([]);
    expect(strokes).toEqual([]);
  });

  it("rings what the rest waits for", () => {
    const bottleneck = {
      binary: "ads-server",
      pool: "models",
      services: ["ProduceAd"],
    } as unknown as Bottleneck;
    expect(paint().strokes).toEqual([]);
    expect(paint({ bottlenecks: [bottleneck] }).strokes).toContain("the bad");
  });

  it("leaves out what is out of view", () => {
    expect(paint({ moved: -700 }).within(0)).toEqual([]);
    expect(paint({ moved: -700 }).within(800)).not.toEqual([]);
  });

  it("paints names, kinds and states instead of figures far out", () => {
    const bottleneck = {
      binary: "ads-server",
      pool: "models",
      services: ["ProduceAd"],
    } as unknown as Bottleneck;
    const { texts, strokes, fills } = paint({ zoom: 0.3, bottlenecks: [bottleneck] });
    // In their node what fits, the others whole beside theirs, that in trouble first.
    expect(texts.map(({ text }) => text)).toEqual(["pick", "! ProduceAd", "Impressions"]);
    expect(texts[1]?.color).toBe("the bad");
    expect(strokes).toEqual(["the line-strong", "the line-strong", "the bad"]);
    expect(fills).toContain("the pool-1");
  });

  describe("with the frame of a binary", () => {
    const frame = (data: object) =>
      ({
        ...node("binary:ads-server", -20, -60),
        type: "frame",
        data: { name: "ads-server", ...data },
        measured: { width: 1040, height: 200 },
      }) as unknown as InternalNode;
    const within = (data: object = {}) => [frame(data), ...nodes];

    it("leaves the figures that it is around", () => {
      expect(paint({ drawn: within() }).texts).toEqual(paint().texts);
      expect(paint({ drawn: within() }).cleared).toEqual(paint().cleared);
    });

    it("paints its line and its name far out, in the accent where a bundle would be dropped in it", () => {
      const far = (data: object = {}) => paint({ zoom: 0.3, drawn: within(data) });
      expect(far().texts.map(({ text }) => text)).toContain("ads-server");
      expect(far().strokes).toEqual(["the line-strong", ...paint({ zoom: 0.3 }).strokes]);
      expect(far({ target: true }).strokes[0]).toBe("the accent");
    });
  });
});
