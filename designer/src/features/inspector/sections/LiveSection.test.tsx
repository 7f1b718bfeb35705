import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { dropBinary, resetLive, takeLost, takeSample, takeSchema } from "../../../kernel/live/liveStore.js";
import { LiveSection } from "./LiveSection.js";

const schema = {
  binary: "ads-server",
  pid: 1,
  startedAtMs: 0,
  sampling: 3,
  services: [
    { id: 7, name: "ProduceAd", kind: "sync-remote", pool: 3, implementations: ["A", "B"], written: true },
  ],
  calls: [],
  flows: [],
  pools: [],
} as unknown as LiveSchema;
const sample = (t: number, extra: Partial<LiveSample> = {}): LiveSample =>
  ({
    t,
    services: [[7, t, 0, 0, 0, 100_000, 1, 1, 1]],
    implementations: [],
    calls: [],
    flows: [],
    stages: [],
    pools: [],
    threads: [],
    process: { cpuNs: 0, rssBytes: 0, threads: 1 },
    ...extra,
  }) as unknown as LiveSample;

beforeEach(() => {
  resetLive();
  takeSchema(schema);
});
afterEach(cleanup);

it("tells how requests end, and waiting from running", () => {
  for (const t of [0, 1000])
    takeSample(
      "ads-server",
      sample(t, {
        services: [[7, t, 0.01 * t, 0, 0, 100_000, 1, 1, 1]],
        outcomes: [[7, null, 0.08 * t, 0.5 * t, 0.02 * t, 0]],
        serviceWaits: [[7, null, 97_000, 98_000, 99_000, 99_500]],
        serviceRuns: [[7, null, 2900, 3500, 4000, 4100]],
      }),
    );
  render(<LiveSection service="ProduceAd" />);
  const figures = [...document.querySelectorAll(".live-figures > div")].map(({ children }) =>
    [...children].map(({ textContent }) => textContent),
  );
  expect(figures).toEqual([
    ["Served", "80/s"],
    ["Errors", "10/s"],
    ["Expired", "500/s"],
    ["Skipped", "20/s"],
    ["Refused", "0/s"],
    ["Waited", "p50 97 ms, p99 99 ms"],
    ["Ran", "p50 2.9 ms, p99 4.0 ms"],
  ]);
});

it("dims figures of a binary that is not heard of, and calls them the last known", async () => {
  for (const t of [0, 1000]) takeSample("ads-server", sample(t, { outcomes: [[7, null, 0, 0, 0, 0]] }));
  const { container } = render(<LiveSection service="ProduceAd" />);
  const isDim = () => container.querySelector<HTMLElement>(".live-figures")?.dataset["stale"];
  expect([isDim(), screen.queryByText("Last known")]).toEqual(["false", null]);
  takeLost("ads-server");
  expect(await screen.findByText("Last known")).toBeDefined();
  expect(isDim()).toBe("true");
});

it("says nothing more once the binary has gone", async () => {
  for (const t of [0, 1000]) takeSample("ads-server", sample(t, { outcomes: [[7, null, 0, 0, 0, 0]] }));
  render(<LiveSection service="ProduceAd" />);
  expect(screen.getByText("Served")).not.toBeNull();
  dropBinary("ads-server");
  await waitFor(() => expect(screen.queryByText("Served")).toBeNull());
});

it("has nothing to say of a binary that does not tell them apart", () => {
  for (const t of [0, 1000]) takeSample("ads-server", sample(t));
  render(<LiveSection service="ProduceAd" />);
  expect(screen.queryByText("Served")).toBeNull();
});
