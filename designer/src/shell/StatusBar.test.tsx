import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { resetLive, takeLost, takeSample, takeSchema } from "../kernel/live/liveStore.js";
import { sampleOf } from "../testing/sampleOf.js";
import { schemaOf } from "../testing/schemaOf.js";
import { StatusBar } from "./StatusBar.js";

beforeEach(resetLive);
afterEach(cleanup);

it("says how much memory all binaries hold together, while any runs", () => {
  render(<StatusBar />);
  expect(screen.queryByText(/^RSS/)).toBeNull();
  cleanup();
  const runs = (binary: string, rssBytes: number): void => {
    takeSchema(schemaOf({ binary }));
    takeSample(binary, sampleOf(1000, { process: { cpuNs: 0, rssBytes, threads: 1 } }));
  };
  runs("front", 8_000_000);
  runs("far", 12_000_000);
  render(<StatusBar />);
  expect(screen.getByText(/^RSS/).textContent).toBe("RSS 20 MB");
  cleanup();
  takeLost("far");
  render(<StatusBar />);
  expect(screen.getByText(/^RSS/).textContent).toBe("RSS 8.0 MB");
});
