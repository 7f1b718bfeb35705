import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { resetLive, takeLost, takeSample, takeSchema } from "../../../kernel/live/liveStore.js";
import { sampleOf } from "../../../testing/sampleOf.js";
import { schemaOf } from "../../../testing/schemaOf.js";
import { WireTitle } from "./WireTitle.js";

const says = (down?: string) =>
  takeSchema(
    schemaOf({
      services: [{ id: 0, name: "GetAd", kind: "simple", pool: 0, implementations: [], written: true }],
      links: [{ id: 0, binary: "far", transport: "unix", ...(down === undefined ? {} : { down }) }],
    }),
  );
const counts = (t: number) =>
  takeSample("ads-server", sampleOf(t, { links: [[0, 1, 0, 30 * t, 12 * t, 0, 84.4, null]] }));
const title = () => {
  act(() => void vi.advanceTimersByTime(300));
  return document.querySelector("svg title")?.textContent;
};

beforeEach(() => {
  vi.useFakeTimers();
  resetLive();
  render(
    <svg>
      <WireTitle service="GetAd" to="far" />
    </svg>,
  );
});
afterEach(() => {
  cleanup();
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

it("says of a line that is pointed at what goes there and back, or the whole reason why nothing does", () => {
  expect(title()).toBeUndefined();
  says();
  counts(0);
  counts(1000);
  expect(title()).toBe("All that goes to far, over unix: round trip 84 µs, 30 kB/s sent, 12 kB/s received");
  takeSample("ads-server", sampleOf(1500, { links: [[0, 1, 0, 45_000, 18_000, 0, 84.4, null, 61.2, 910]] }));
  expect(title()).toContain("round trip 61 µs, p99 910 µs, 30 kB/s sent");
  const why = "far cannot be reached: tcp://127.0.0.1:7400: Connection refused";
  says(why);
  counts(2000);
  expect(title()).toBe(why);
  takeLost("ads-server");
  expect(title()).toBeUndefined();
});
