import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { documentStore } from "../../kernel/document/index.js";
import { resetLive, takeSchema } from "../../kernel/live/liveStore.js";
import { open } from "../../testing/ads.js";
import { TracePanel } from "./TracePanel.js";
import { takeTraces } from "../../kernel/live/traceStore.js";

const schema = (sampling: number, flows: number): LiveSchema =>
  ({
    binary: "ads-server",
    pid: 1,
    startedAtMs: 0,
    sampling,
    services: [],
    calls: [],
    flows: [{ id: 0, name: "Impressions", source: { kind: "rate", perSecond: 1 }, stages: [] }].slice(
      0,
      flows,
    ),
    pools: [],
  }) as unknown as LiveSchema;
const sentence = () => screen.queryByText(/sampling of ads-server is 0/);

beforeEach(() => {
  resetLive();
  open();
});
afterEach(cleanup);

it("says where sampling is set when it is off, and shows the place", () => {
  takeSchema(schema(0, 1));
  render(<TracePanel />);
  expect(sentence()).not.toBeNull();
  fireEvent.click(screen.getByText("Show ads-server"));
  expect(documentStore.getState().selection).toEqual(["binary:ads-server"]);
});

it("says so beside events that were followed before", () => {
  takeSchema(schema(0, 1));
  takeTraces(schema(0, 1), { t: 1, traces: [[0, 1, 10, "completed", []]] } as unknown as LiveSample, 0);
  render(<TracePanel />);
  expect(screen.queryByRole("table")).not.toBeNull();
  expect(sentence()).not.toBeNull();
});

it("gives an event the time of day as the other tabs do, with room for how it ended", () => {
  takeTraces(schema(3, 1), { t: 1, traces: [[0, 1, 10, "expired", []]] } as unknown as LiveSample, 0);
  render(<TracePanel />);
  const event = screen.getByTitle("expired");
  expect(event.firstElementChild?.textContent).toMatch(/^\d\d:\d\d:\d\d$/);
});

it("says nothing of a binary that samples, or has no flow", () => {
  for (const quiet of [schema(3, 1), schema(0, 0)]) {
    resetLive();
    takeSchema(quiet);
    render(<TracePanel />);
    expect(sentence()).toBeNull();
    cleanup();
  }
});

it("says of a call to another binary which one that is, and how long its answer took", () => {
  const away = {
    ...schema(3, 1),
    remotes: [{ id: 7, name: "ProduceAd", binary: "models-server" }],
    pools: [{ id: 0, name: "front" }],
    flows: [{ id: 0, name: "Impressions", stages: [{ id: "ad", service: 7 }] }],
  } as unknown as LiveSchema;
  const step = [0, 0, 0, 5, 2, 90, 0];
  takeTraces(away, { t: 1, traces: [[0, 1, 100, "completed", [step]]] } as unknown as LiveSample, 0);
  render(<TracePanel />);
  const [, row] = screen.getAllByRole("row");
  const cells = within(row!).getAllByRole("cell");
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    "ProduceAd",
    "in models-server",
    "",
    "–",
    "92 µs",
  ]);
  expect([cells[1]?.title, cells[4]?.title]).toEqual([
    "in models-server",
    "Until the answer of models-server, with the way and the wait there",
  ]);
});
