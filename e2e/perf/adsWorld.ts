import { readFileSync } from "node:fs";
import type { World } from "./fakeBackend.js";
import { liveSchema, threadsOf } from "./liveSchema.js";

const example = new URL("../../examples/ads/topology.json", import.meta.url);
type Drawing = Parameters<typeof liveSchema>[0];
interface Bounds {
  from: number;
  to: number;
}
const drawn = JSON.parse(readFileSync(example, "utf8")) as Drawing;

/** The example on three threads that models run on, so few that one slow model takes them all. */
const topology: Drawing = {
  ...drawn,
  binaries: [
    {
      ...drawn.binaries[0]!,
      pools: [
        { name: "front", threads: [{ cpus: [0] }] },
        { name: "models", threads: [{ cpus: [1] }, {}, {}] },
      ],
      placement: { GetAd: { pool: "front" }, ProduceAd: { pool: "models" } },
    },
  ],
};

const jitter = (share: number): number => 1 + (Math.random() - 0.5) * share;

type Cells = [p50: number, p90: number, p99: number, max: number, mean: number];
/** Of the models together, microseconds: with one of them slow the most of their time is a wait. */
const WAITED: Cells = [44_000, 80_000, 98_000, 100_000, 45_000];
const RAN: Cells = [3400, 150_000, 190_000, 210_000, 9800];
const QUICK: Cells = [40, 70, 110, 300, 45];

const withBounds = (bounds: Bounds): object => ({
  ...topology,
  binaries: topology.binaries.map((binary) => ({
    ...binary,
    pools: binary.pools!.map((pool) => (pool.name === "models" ? { ...pool, threads: bounds } : pool)),
  })),
});

/** The ads example in trouble: three threads, one slow model; with `bounds` they get more by themselves. */
export function adsWorld(troubled: boolean, bounds?: Bounds): World {
  const totals = { expired: 0, get: 0, a: 0, b: 0, c: 0, front: 0, models: 0 };
  let last = 0;
  let threads = 3;
  // The slow model does seven a second with each thread, as long as there are that many to do.
  const slow = (): number => (troubled ? Math.min(200, 7 * threads) : 200);
  const late = (): boolean => troubled && slow() < 200;
  const drawing = bounds === undefined ? topology : withBounds(bounds);
  const world: World = {
    topology: JSON.stringify(drawing, null, 2),
    intervalMs: 100,
    resized: (count) => {
      threads = count;
      const own = Array.from({ length: count }, (_, at) =>
        at === 0 && bounds === undefined ? { cpus: [1] } : {},
      );
      world.schema.pools[2]!.threads = threadsOf("models", 2, own);
    },
    ...(bounds === undefined
      ? {}
      : {
          adapts: () => {
            const { adaptive } = world.schema.pools[2]!;
            if (adaptive === undefined || threads >= adaptive.to) return false;
            world.resized?.(threads + 1);
            Object.assign(adaptive, { by: "controller", steps: adaptive.steps + 1, waitedMs: 60 });
            return true;
          },
        }),
    files: [
      {
        id: "f1",
        path: "src/services/get_ad.cpp",
        hash: "h1",
        readOnly: false,
        text: `// Asks several models, keeps the best
#include "services/get_ad.hpp"

using namespace std::chrono_literals;

penstock::Task<Ad> GetAd::handle(const AdRequest& request) {
  auto offers = co_await penstock::gather_within(
      100ms, calls.ProduceAd.each(request));

  Ad best;
  for (const auto& offer : offers)
    if (offer.scor > best.score) best = offer;
  co_return best;
}
`,
      },
      {
        id: "f2",
        path: "src/services/log_ad.cpp",
        hash: "h2",
        readOnly: false,
        text: '#include "services/log_ad.hpp"\n',
      },
      {
        id: "f3",
        path: "generated/services/get_ad.hpp",
        hash: "h3",
        readOnly: true,
        text: "// generated\nclass GetAd;\n",
      },
    ],
    schema: liveSchema(topology, 2),
    sample: (t, seq) => {
      const seconds = last === 0 ? 0.1 : (t - last) / 1000;
      last = t;
      totals.get += 200 * seconds * jitter(0.06);
      totals.a += 200 * seconds * jitter(0.06);
      totals.b += 200 * seconds * jitter(0.06);
      totals.c += slow() * seconds * jitter(0.1);
      totals.front += 0.38 * seconds * jitter(0.1) * 1e9;
      totals.models += (late() ? 0.985 : 0.55) * seconds * jitter(0.02) * 1e9;
      const get = Math.round(totals.get);
      const [a, b, c] = [Math.round(totals.a), Math.round(totals.b), Math.round(totals.c)];
      totals.expired += (200 - slow()) * seconds;
      const expired = Math.round(totals.expired);
      const p99 = late() ? 203_000 * jitter(0.03) : 196_000 * jitter(0.01);
      return {
        type: "sample",
        t,
        seq,
        services: [
          [0, get, 0, 20, 0, 3100 * jitter(0.1), 60_000, 100_000 * jitter(0.02), 101_000],
          [1, a + b + c, 0, 40, 0, (late() ? 98_000 : 48_000) * jitter(0.1), 150_000, p99, 210_000],
          [2, get, 0, 0, 0, 12, 30, 41, 90],
          [3, 0, 0, 0, 0, null, null, null, null],
        ],
        implementations: [
          [1, 0, a, 0, 2900, 3500, 4000, 5000],
          [1, 1, b, 0, 3400, 3900, 4400, 5100],
          [1, 2, c, 0, 148_000, 190_000, p99, 210_000],
        ],
        calls: [[0, get * 3, 0]],
        flows: [[0, get, get, 0, 0, 20, 3200, 61_000, 100_500, 102_000]],
        stages: [
          [0, 0, get, 0, 3100 * jitter(0.1), 60_000, 100_000 * jitter(0.02), 101_000],
          [0, 1, get, 0, 12, 30, 41, 90],
          [0, 2, 0, 0, null, null, null, null],
        ],
        pools: [
          [0, 0, 0, 2, 0],
          [1, Math.round(82 * jitter(0.3)), 1, 1, 0],
          [2, late() ? Math.min(1024, 700 + seq * 4) : 3, late() ? threads : 1, threads, 0],
        ],
        threads: [
          [0, 0, 4e7 * (t / 1000), 3e7 * (t / 1000), seq, 0, 0],
          [0, 1, 2e7 * (t / 1000), 1e7 * (t / 1000), seq, 0, 1],
          [1, 0, totals.front, totals.front, seq * 20, 0, 0],
          [2, 0, totals.models, totals.models * 0.95, seq * 10, 0, 1],
          [2, 1, totals.models, totals.models * 0.1, seq * 10, 0, 1],
          [2, 2, totals.models, totals.models * 0.1, seq * 10, 0, 0],
        ],
        traces: [
          [
            0,
            Math.floor(t / 500) * 500,
            (troubled ? 100_900 : 3900) + (Math.floor(t / 500) % 7) * 40,
            "completed",
            [
              [0, 1, 0, 0, 700, late() ? 100_000 : 3000, 0],
              [1, 1, 0, troubled ? 100_710 : 3710, 30, 60, 0],
            ],
            [
              [0, 1, 0, 2, 0, 90, troubled ? 71_000 : 40, 2870, 0],
              [0, 1, 1, 2, 1, 91, troubled ? 68_000 : 60, 3350, 0],
              [0, 1, 2, troubled ? 2 : null, troubled ? 2 : null, 92, troubled ? 12_000 : null, null, 0],
            ],
          ],
        ],
        waits: [
          [0, 0, 700, 900, 1200, 2000, 720],
          [0, 1, 10, 20, 30, 60, 11],
        ],
        runs: [
          [0, 0, 2300, 59_000, 99_000, 100_000, 6000],
          [0, 1, 2, 9, 11, 30, 3],
        ],
        fused: [[0, 0, 2400, 59_100, 99_100, 100_100, 6100]],
        stageOutcomes: [
          [0, 0, get, 0],
          [0, 1, get, 0],
          [0, 2, 0, 0],
        ],
        outcomes: [
          [0, null, get, 0, 0, 0],
          [1, null, a + b + c, expired, 0, 0],
          [1, 0, a, 0, 0, 0],
          [1, 1, b, 0, 0, 0],
          [1, 2, c, expired, 0, 0],
          [2, null, get, 0, 0, 0],
          [3, null, 0, 0, 0, 0],
        ],
        serviceWaits: [
          [0, null, 700, 900, 1200, 2000, 720],
          [1, null, ...(late() ? WAITED : QUICK)],
          [2, null, 10, 20, 30, 60, 11],
        ],
        serviceRuns: [
          [0, null, 2300, 59_000, 99_000, 100_000, 6000],
          [1, null, ...RAN],
          [1, 0, 2900, 3500, 4000, 5000, 3000],
          [1, 1, 3400, 3900, 4400, 5100, 3500],
          [1, 2, 148_000, 190_000, p99, 210_000, 143_000],
          [2, null, 2, 9, 11, 30, 3],
        ],
        process: { cpuNs: t * 1.2e6, rssBytes: 18e6 + (t % 60_000) * 20, threads: 5 + threads },
      };
    },
  };
  if (bounds !== undefined) {
    world.resized?.(bounds.from);
    world.schema.pools[2]!.adaptive = { ...bounds, on: true, by: "drawing", steps: 0, waitedMs: 0 };
  }
  return world;
}
