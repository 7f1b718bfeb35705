import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sampleOf } from "../../testing/sampleOf.js";
import { schemaOf } from "../../testing/schemaOf.js";
import { useCpuLoad } from "./hooks.js";
import { endBinary, resetLive, takeLost, takeSample, takeSchema } from "./liveStore.js";

/** A pool of a thread for each of the shares, which uses that of CPU 0 in each process. */
const runs = (binary: string, shares: readonly number[], processes = 1, actual = [0]): void => {
  takeSchema(
    schemaOf({
      binary,
      pools: [
        {
          id: 0,
          name: "p",
          queue: 8,
          threads: shares.map((_, tid) => ({ name: "", tid, asked: actual, actual })),
        },
      ],
    }),
  );
  for (const t of [0, 1000])
    takeSample(
      binary,
      sampleOf(t, {
        pools: [[0, 0, 1, shares.length * processes, 0]],
        threads: shares.map((share, index) => [0, index, 0, share * t * 1e6, 0, 0, 0]),
        process: { cpuNs: 0, rssBytes: 1, threads: 1, processes },
      }),
    );
};
const load = () => {
  const { result } = renderHook(() => useCpuLoad());
  act(() => void vi.advanceTimersByTime(20));
  return [...(result.current ?? [])];
};

beforeEach(() => {
  vi.useFakeTimers();
  resetLive();
});
afterEach(() => {
  cleanup();
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

it("is used by the binaries that are heard of: what another one used last, it uses no more", () => {
  runs("one", [0.25]);
  runs("two", [0.25]);
  runs("three", [0.25]);
  expect(load()).toEqual([[0, 0.75]]);
  endBinary("one");
  expect(load()).toEqual([[0, 0.5]]);
  takeLost("two");
  expect(load()).toEqual([[0, 0.25]]);
});

it("is used by each process of a binary where its threads may run there alone", () => {
  runs("one", [0.125, 0.125], 3);
  expect(load()).toEqual([[0, 0.75]]);
  runs("one", [0.125, 0.125], 3, [0, 1]);
  expect(load()).toEqual([[0, 0.25]]);
});
