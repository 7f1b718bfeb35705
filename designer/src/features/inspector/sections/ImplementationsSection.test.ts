import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import { cleanup, fireEvent, render, renderHook, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { documentStore } from "../../../kernel/document/index.js";
import { resetLive, takeSample, takeSchema } from "../../../kernel/live/liveStore.js";
import { TooltipProvider } from "../../../kernel/ui/index.js";
import { adsTopology, open } from "../../../testing/ads.js";
import { ImplementationsSection, useImplementationLatency } from "./ImplementationsSection.js";

afterEach(() => {
  cleanup();
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

it("takes no weight that no drawing can have, and says why", () => {
  open();
  const service = adsTopology().services[1]!;
  render(createElement(ImplementationsSection, { service }), { wrapper: TooltipProvider });
  const field = () => screen.getByLabelText<HTMLInputElement>("Weight of ModelA in ads-server");
  const placement = () => documentStore.getState().topology.binaries[0]?.placement["ProduceAd"];
  const commit = (text: string): void => {
    fireEvent.change(field(), { target: { value: text } });
    fireEvent.blur(field());
  };
  const { topology } = documentStore.getState();
  for (const text of ["1e30", "-1", "2147483648"]) {
    commit(text);
    expect(field().value).toBe(text);
    expect(screen.queryByText("Must be 0 to 2147483647")).not.toBeNull();
  }
  expect(documentStore.getState().topology).toBe(topology);
  commit("3");
  expect(placement()?.implementation).toEqual({ ModelA: 3 });
  commit("");
  expect(placement()?.implementation).toBeUndefined();
});
