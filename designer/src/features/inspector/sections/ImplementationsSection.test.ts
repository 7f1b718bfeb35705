import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import { renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { resetLive, takeSample, takeSchema } from "../../../kernel/live/liveStore.js";
import { useImplementationLatency } from "./ImplementationsSection.js";

afterEach(() => {
  vi.useRealTimers();
  resetLive();
});

it("is the average that the canvas has, also in a second without a sample", () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  resetLive();
  takeSchema({
    binary: "ads-server",
    pid: 1,
    services: [
      { id: 7, name: "ProduceAd", kind: "sync-remote", pool: 3, implementations: ["A"], written: true },
    ],
    calls: [],
    flows: [],
    pools: [],
  } as unknown as LiveSchema);
  for (const [second, micros] of [60_000, 120_000, null].entries()) {
    vi.advanceTimersByTime(1000);
    takeSample("ads-server", {
      t: 1000 * second,
      services: [[7, second, 0, 0, 0, 100_000, 1, 1, 1]],
      serviceRuns: [[7, 0, micros, micros, micros, micros, micros]],
      implementations: [],
      calls: [],
      flows: [],
      stages: [],
      pools: [],
      threads: [],
      process: { cpuNs: 0, rssBytes: 0, threads: 1 },
    } as unknown as LiveSample);
  }
  expect(renderHook(() => useImplementationLatency("ProduceAd", "A")).result.current).toBe("90 ms");
});
