import type { BenchResult, BenchStatus } from "@penstock/codegen/contract";

const result = (name: string, median: number, [low, high]: [number, number]): BenchResult => {
  const [service = "", implementation] = name.split("/");
  return {
    name,
    service,
    ...(implementation === undefined ? {} : { implementation }),
    unit: "ns/call",
    median,
    min: median * low,
    max: median * high,
    runs: 5,
  };
};

const idle: BenchStatus = {
  phase: "idle",
  done: 0,
  total: 0,
  current: "",
  startedAtMs: null,
  milliseconds: 0,
  problems: [],
  results: [],
  skipped: [],
  measuredAtMs: null,
  previous: [],
};
const results = [
  result("GetAd", 3400, [0.93, 1.2]),
  result("ProduceAd/ModelA", 2_900_000, [0.98, 1.02]),
  result("ProduceAd/ModelB", 3_400_000, [0.97, 1.04]),
  result("ProduceAd/ModelC", 148_000_000, [0.8, 1.3]),
  result("LogAd", 262, [0.95, 1.9]),
];
const previous = [
  result("GetAd", 5100, [0.95, 1.1]),
  result("ProduceAd/ModelA", 2_880_000, [0.98, 1.02]),
  result("ProduceAd/ModelB", 2_100_000, [0.97, 1.04]),
  result("LogAd", 270, [0.95, 1.3]),
];
const skipped = [
  {
    name: "CountError",
    service: "CountError",
    reason: "its handler is not written yet",
    failed: false,
  },
];

/** What the tab Bench can show. */
export const BENCH_STATES = {
  empty: idle,
  measured: {
    ...idle,
    phase: "succeeded",
    milliseconds: 14_200,
    measuredAtMs: Date.now(),
    results,
    skipped,
    previous,
  },
  close: {
    ...idle,
    phase: "failed",
    milliseconds: 9100,
    measuredAtMs: Date.now(),
    results: [result("GetAd", 340, [0.93, 1.2]), result("LogAd", 262, [0.95, 1.1])],
    skipped: [{ ...skipped[0]!, reason: "ended with an error: no such ad", failed: true }],
    previous,
  },
  measuring: {
    ...idle,
    phase: "measuring",
    done: 8,
    total: 25,
    current: "ProduceAd/ModelC",
    results: results.slice(0, 3),
    previous,
  },
  broken: {
    ...idle,
    phase: "failed",
    problems: [
      {
        code: "PS850",
        severity: "error",
        message: "'struct Ad' has no member named 'scor'; did you mean 'score'?",
        pointer: "",
        help: "",
        file: "bench/get_ad_bench.cpp",
        line: 14,
        node: "service:GetAd",
      },
    ],
  },
} satisfies Record<string, BenchStatus>;
