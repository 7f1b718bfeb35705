import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Latencies } from "./Latencies.js";
import { resetLive, takeSample, takeSchema } from "../../kernel/live/liveStore.js";

const schema = {
  binary: "ads-server",
  pid: 1,
  startedAtMs: 0,
  sampling: 3,
  services: [{ id: 7, name: "GetAd", kind: "simple", pool: 3, implementations: [], written: true }],
  calls: [],
  flows: [
    {
      id: 1,
      name: "Impressions",
      source: { kind: "rate", perSecond: 200 },
      stages: [{ id: "pick", service: 7, role: "map", pool: 3 }],
    },
  ],
  pools: [],
} as unknown as LiveSchema;
const sample = {
  t: 100,
  services: [[7, 10, 0, 0, 0, 1000, 2000, 3000, 4000]],
  implementations: [],
  calls: [],
  flows: [[1, 10, 10, 0, 0, 0, 50, 60, 70, 80, 55]],
  stages: [[1, 0, 10, 0, 40, 45, 46, 47, 41]],
  waits: [[1, 0, 12, 13, 14, 15, 12.4]],
  pools: [],
  threads: [],
  process: { cpuNs: 0, rssBytes: 0, threads: 1 },
} as unknown as LiveSample;
const figures = (label: string) => screen.queryByRole("group", { name: label })?.textContent ?? null;

beforeEach(() => {
  resetLive();
  takeSchema(schema);
  takeSample("ads-server", sample);
});
afterEach(cleanup);

it("tells a stage's mean and percentiles, and how long events waited before it", () => {
  render(<Latencies target="stage:Impressions/pick" />);
  expect(figures("Waited and ran")).toBe("Waited and ranmean 41 µsp50 40 µsp90 45 µsp99 46 µsmax 47 µs");
  expect(figures("Waited")).toBe("Waitedmean 12 µsp50 12 µsp90 13 µsp99 14 µsmax 15 µs");
});

it("tells those of a flow and of a service, whose binary may send no mean", () => {
  render(<Latencies target="flow:Impressions" />);
  expect(figures("Took")).toBe("Tookmean 55 µsp50 50 µsp90 60 µsp99 70 µsmax 80 µs");
  cleanup();
  render(<Latencies target="service:GetAd" />);
  expect(figures("Took")).toBe("Tookmean –p50 1.0 msp90 2.0 msp99 3.0 msmax 4.0 ms");
  expect(figures("Waited")).toBeNull();
});

it("tells of a stage that another binary runs how long it takes there and back, and what it waits and runs there", () => {
  resetLive();
  takeSchema({
    ...schema,
    binary: "front-server",
    services: [],
    remotes: [{ id: 7, name: "GetAd", binary: "ads-server" }],
  } as unknown as LiveSchema);
  takeSample("front-server", { ...sample, services: [] });
  takeSchema({ ...schema, flows: [] });
  takeSample("ads-server", {
    ...sample,
    flows: [],
    stages: [],
    waits: [],
    serviceWaits: [[7, null, 17, 18, 19, 20, 16]],
    serviceRuns: [[7, null, 12, 13, 14, 15, 11]],
  });
  render(<Latencies target="stage:Impressions/pick" />);
  expect(figures("There and back")).toBe("There and backmean 41 µsp50 40 µsp90 45 µsp99 46 µsmax 47 µs");
  expect(figures("Waited in ads-server")).toBe(
    "Waited in ads-servermean 16 µsp50 17 µsp90 18 µsp99 19 µsmax 20 µs",
  );
  expect(figures("Ran in ads-server")).toBe(
    "Ran in ads-servermean 11 µsp50 12 µsp90 13 µsp99 14 µsmax 15 µs",
  );
});

it("tells waiting and running apart where the binary does", () => {
  takeSample("ads-server", {
    ...sample,
    t: 200,
    serviceWaits: [[7, null, 97_000, 98_000, 99_000, 99_500, 96_000]],
    serviceRuns: [[7, null, 2900, 3000, 3100, 3200, 2950]],
  });
  render(<Latencies target="service:GetAd" />);
  expect(figures("Waited")).toBe("Waitedmean 96 msp50 97 msp90 98 msp99 99 msmax 100 ms");
  expect(figures("Ran")).toBe("Ranmean 3.0 msp50 2.9 msp90 3.0 msp99 3.1 msmax 3.2 ms");
  expect(figures("Took")).toBeNull();
});

it("says on how many samples they rest, once a rate is known", () => {
  const later = {
    services: [[7, 60_010, 0, 0, 0, 1000, 2000, 3000, 4000]],
    flows: [[1, 11, 11, 0, 0, 0, 50, 60, 70, 80, 55]],
  };
  takeSample("ads-server", { ...sample, ...later, t: 1100 } as unknown as LiveSample);
  render(<Latencies target="service:GetAd" />);
  expect(figures("Took")).toBe("Tookmean –p50 1.0 msp90 2.0 msp99 3.0 msmax 4.0 msn ≈ 1,406");
  const { title } = screen.getByRole("group", { name: "Took" });
  expect(title).toBe("From about 1,406 samples of the last second: 3 in 128 are timed");
  cleanup();
  render(<Latencies target="flow:Impressions" />);
  expect(screen.getByRole("group", { name: "Took" }).title).toContain("From about 1 sample of");
});
