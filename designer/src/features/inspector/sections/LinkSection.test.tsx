import type { LiveSample } from "@penstock/codegen/contract";
import { topologySchema } from "@penstock/codegen/topology";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { liveStore, resetLive, takeSample, takeSchema } from "../../../kernel/live/liveStore.js";
import { open } from "../../../testing/ads.js";
import { schemaOf } from "../../../testing/schemaOf.js";
import { sampleOf } from "../../../testing/sampleOf.js";
import { LinkSection } from "./LinkSection.js";

const topology = topologySchema.parse({
  penstock: 1,
  name: "shop",
  messages: [{ name: "M" }],
  services: [
    { name: "Here", request: "M", response: "M", calls: ["There"] },
    { name: "There", request: "M", response: "M" },
  ],
  bundles: [
    { name: "A", services: ["Here"] },
    { name: "B", services: ["There"] },
  ],
  binaries: [
    { name: "front", bundles: ["A"] },
    { name: "far", bundles: ["B"] },
  ],
});
const says = (down?: string) => {
  const link = { id: 4, binary: "far", transport: "shm", ...(down === undefined ? {} : { down }) };
  takeSchema(schemaOf({ binary: "front", links: [link] }));
};
const counts = (t: number, link: NonNullable<LiveSample["links"]>[number]) =>
  takeSample("front", sampleOf(t, { links: [link] }));
const show = (service: string) =>
  render(<LinkSection from={topology.binaries.slice(0, 1)} service={service} />);
const figures = () =>
  [...document.querySelectorAll(".live-figures > div")].map(({ children }) =>
    [...children].map(({ textContent }) => textContent),
  );

const LEADS = [
  ["Leads to", "far"],
  ["Over", "shm"],
];

beforeEach(() => {
  resetLive();
  open(topology);
});
afterEach(cleanup);

it("is there for a line that leaves its binary, running or not, and for no other", () => {
  show("Here");
  expect(screen.queryByText("Link")).toBeNull();
  cleanup();
  show("There");
  expect(figures()).toEqual(LEADS);
});

it("says what carries it there where the other one listens at an address", () => {
  open({
    ...topology,
    binaries: topology.binaries.map((one) => ({ ...one, listen: ["tcp://127.0.0.1:7400"] })),
  });
  show("There");
  expect(figures()).toEqual([LEADS[0], ["Over", "tcp"]]);
  expect(screen.getByText("tcp").parentElement?.title).toBe("The address at which it listens");
});

it("tells how far the other binary is, and what goes there", () => {
  says();
  counts(0, [4, 2, 0, 0, 0, 1, 84.2]);
  counts(1000, [4, 2, 3, 1_200_000, 640_000, 1, 84.2]);
  show("There");
  expect(figures()).toEqual([
    ...LEADS,
    ["Round trip", "84 µs"],
    ["Sent", "1.2 MB/s"],
    ["Received", "640 kB/s"],
    ["Waiting", "3"],
    ["Connections", "2"],
    ["Broken", "1"],
  ]);
});

it("has the percentiles of the last pings, where the binary tells them", () => {
  says();
  counts(0, [4, 1, 0, 0, 0, 0, 84.2, null, 61.5, 1310]);
  show("There");
  expect(figures()).toContainEqual(["Round trip p50", "62 µs, p99 1.3 ms"]);
  expect(screen.getByTitle("p50 and p99 of the last 128 pings; the last one took 84 µs")).toBeTruthy();
});

it("row 25: says that a link is degraded, of which much is sent again, and of any how much", () => {
  says();
  counts(0, [4, 1, 0, 0, 0, 0, 84.2, 5.24]);
  show("There");
  expect(figures()).toContainEqual(["Sent again", "5.2 %"]);
  expect(screen.getByRole("status").textContent).toBe(
    "Degraded: 5.2 % of the packets to far are sent again, so that calls are late",
  );
  cleanup();
  counts(1000, [4, 1, 0, 0, 0, 0, 84.2, 0.4]);
  show("There");
  expect(figures()).toContainEqual(["Sent again", "0.4 %"]);
  expect(screen.queryByRole("status")).toBeNull();
});

it("says why nobody is reached, until somebody is", () => {
  says("far cannot be reached: it is not running");
  counts(0, [4, 0, 7, 0, 0, 0, null]);
  show("There");
  expect(screen.getByRole("status").textContent).toBe("far cannot be reached: it is not running");
  cleanup();
  says();
  act(() => liveStore.setState(({ version }) => ({ version: version + 1 })));
  show("There");
  expect(screen.queryByRole("status")).toBeNull();
});
