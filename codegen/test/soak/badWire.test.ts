import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Penstock } from "../cli/penstock.js";
import { BadWire, type OnHost, type WireFaults } from "../support/badWire.js";
import { counterIn, until } from "../support/build.js";

/** A flow whose stage runs on another host, over TLS, beyond a wire that does what wires do. */
const penstock = new Penstock();
const SEED = Number(process.env["PENSTOCK_WIRE_SEED"] ?? Math.floor(Math.random() * 1e9));
let dir: string;
let wire: BadWire;
let front: OnHost;
let back: OnHost;

const TOPOLOGY = {
  penstock: 1,
  name: "wire",
  messages: [
    {
      name: "Reading",
      fields: [
        { name: "sensor", type: "string", tag: 1 },
        { name: "value", type: "double", tag: 2 },
      ],
    },
  ],
  services: [
    {
      name: "Keep",
      request: "Reading",
      idempotent: true,
      node: { type: "filter", settings: { condition: "request.value >= 0" } },
    },
  ],
  flows: [
    {
      name: "Readings",
      event: "Reading",
      source: { kind: "rate", perSecond: 500 },
      stages: [{ id: "keep", service: "Keep", role: "side-effect" }],
    },
  ],
  bundles: [
    { name: "Here", flows: ["Readings"] },
    { name: "There", services: ["Keep"] },
  ],
  binaries: [
    { name: "front", bundles: ["Here"] },
    { name: "back", bundles: ["There"], listen: ["tls://10.99.0.2:7400"] },
  ],
};

beforeAll(async () => {
  dir = mkdtempSync(path.join(penstock.folder, "wire-"));
  writeFileSync(path.join(dir, "topology.json"), JSON.stringify(TOPOLOGY));
  penstock.trust(dir);
  expect(await penstock.run(["generate", dir])).toMatchObject({ code: 0 });
  const source = path.join(dir, "src/flows/readings.cpp");
  writeFileSync(
    source,
    readFileSync(source, "utf8")
      .replace("static_cast<void>(sequence);", "")
      .replace("return {};", "return {std::to_string(sequence) + std::string(100, '.'), 1};")
      .replace("\n\n", "\n\n#include <string>\n\n"),
  );
  expect(await penstock.run(["build", dir])).toMatchObject({ code: 0 });
  expect(await penstock.run(["keys", dir])).toMatchObject({ code: 0 });
  wire = await BadWire.open(SEED);
});
// Their places are those of the next test.
afterEach(() => wire.endBinaries());
afterAll(async () => {
  await wire?.close();
  await penstock.cleanUp();
});

async function start(perSecond = 500): Promise<void> {
  const config = path.join(dir, "generated/config/front.json");
  writeFileSync(
    config,
    readFileSync(config, "utf8").replace(/"perSecond": \d+/, `"perSecond": ${perSecond}`),
  );
  await wire.set({});
  back = await wire.start(2, dir, "back");
  front = await wire.start(1, dir, "front");
  await pass(500);
}
/** Both end as they should, and no event was lost: each was run over there, once or more often. */
async function stop(): Promise<void> {
  await wire.set({});
  await pass(200);
  const ended = completed();
  expect(counterIn(back.metrics(), "penstock_requests_total", "Keep")).toBeGreaterThanOrEqual(ended);
  expectNoneLost();
  expect(await front.stop()).toBe(0);
  expect(await back.stop()).toBe(0);
}

const events = (outcome: string): number =>
  counterIn(front.metrics(), "penstock_flow_events_total", `outcome="${outcome}"`);
const completed = (): number => events("completed");
const gauge = (name: string): number =>
  Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)`, "m").exec(front.metrics())?.[1]);
const refused = (reason: string): number =>
  counterIn(back.metrics(), "penstock_refused_total", `reason="${reason}"`);
/** So many more events come through. */
async function pass(count: number): Promise<void> {
  const from = completed();
  await until(`${count} more events`, () => Promise.resolve(completed() >= from + count));
}
/** What to look at where it is not as it should be. */
const how = (): string => `PENSTOCK_WIRE_SEED=${SEED}\nfront: ${front.said()}\nback: ${back.said()}`;
const expectNoneLost = (): void => expect(events("failed") + events("dropped"), how()).toBe(0);
const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, 1000 * count));

/** Events come through a wire that does this, and none of them fails. */
async function endure(faults: WireFaults, count: number): Promise<void> {
  await wire.set(faults);
  await pass(count);
  expectNoneLost();
}

test("row 27: a wire that loses, doubles and reorders, far away and in small packets", async () => {
  await start();
  await endure({ "delay-ms": 20 }, 1000);
  expect(gauge("penstock_link_round_trip_seconds")).toBeGreaterThan(0.04);
  await endure({ lost: 20, doubled: 20, reordered: 50 }, 2000);
  // What went again is told, so that the link counts as degraded.
  const [sent, again] = [
    gauge("penstock_link_sent_packets_total"),
    gauge("penstock_link_resent_packets_total"),
  ];
  await endure({ lost: 50, corrupted: 20 }, 1000);
  const more = (): number => gauge("penstock_link_sent_packets_total") - sent;
  await until("500 packets more were counted", () => Promise.resolve(more() >= 500));
  expect((gauge("penstock_link_resent_packets_total") - again) / more(), how()).toBeGreaterThan(0.01);
  expect(gauge("penstock_link_broken_total"), how()).toBe(0);
  await stop();
});

test("row 30: packets of 576 bytes", async () => {
  await start(5000);
  await endure({ mtu: 576 }, 20_000);
  expect(gauge("penstock_link_broken_total"), how()).toBe(0);
  await stop();
});

test("row 29: bytes that change on their way, whose sum is right", async () => {
  await start();
  await wire.set({ corrupted: 5, sums: 1 });
  await until("a link was broken by it", () => Promise.resolve(refused("malformed") > 3));
  await pass(1000);
  expectNoneLost();
  expect(gauge("penstock_link_broken_total")).toBeGreaterThan(0);
  await stop();
});

test("row 34: a partition of 5 s loses no event", async () => {
  await start();
  await wire.set({ cut: 1 });
  await seconds(5);
  await endure({}, 2500);
  expect(gauge("penstock_link_waiting_calls")).toBeLessThan(100);
  await stop();
});

test("row 24: a host that nothing comes from is lost, and found again", async () => {
  await start();
  await wire.set({ cut: 1 });
  await until("its links are down", () => Promise.resolve(gauge("penstock_link_open") === 0));
  await endure({}, 1000);
  expect(gauge("penstock_link_open")).toBeGreaterThan(0);
  await stop();
});

test("row 31: a wire of 1 Mbit/s holds the source back, and nothing piles up", async () => {
  await start(50_000);
  await endure({ kbit: 1000 }, 5000);
  const [here, there] = [front.memory(), back.memory()];
  await endure({ kbit: 1000 }, 10_000);
  expect(front.memory()).toBeLessThan(here + 4_000_000);
  expect(back.memory()).toBeLessThan(there + 4_000_000);
  await stop();
});
