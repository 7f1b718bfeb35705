import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Penstock } from "../cli/penstock.js";
import { counter, type Running, startBinary, until } from "../support/build.js";

/** Two flows whose stages run in another binary, one of which may be asked twice. */
const penstock = new Penstock();
const run = mkdtempSync("/tmp/penstock-");
const PER_SECOND = 2000;
const flow = (name: string, service: string, also: readonly object[] = []) => ({
  name,
  event: "Reading",
  source: { kind: "rate", perSecond: PER_SECOND },
  stages: [{ id: "keep", service, role: "side-effect" }, ...also],
});
const keep = (name: string, idempotent: boolean) => ({
  name,
  request: "Reading",
  idempotent,
  node: { type: "filter", settings: { condition: "request.value >= 0" } },
});
const TOPOLOGY = {
  penstock: 1,
  name: "another",
  messages: [{ name: "Reading", fields: [{ name: "value", type: "double", tag: 1 }] }],
  services: [keep("KeepTwice", true), keep("KeepOnce", false), { name: "Lost", request: "Failure" }],
  flows: [
    flow("Twice", "KeepTwice"),
    flow("Once", "KeepOnce", [{ id: "lost", service: "Lost", role: "catch" }]),
  ],
  bundles: [
    { name: "Here", services: ["Lost"], flows: ["Twice", "Once"] },
    { name: "There", services: ["KeepTwice", "KeepOnce"] },
  ],
  binaries: [
    { name: "front", bundles: ["Here"] },
    { name: "back", bundles: ["There"] },
  ],
};

/** Says of what failed for another reason than that its process died. */
const LOST = `#include "services/lost.hpp"

#include <cstdio>

namespace another {

void Lost::handle(const Failure& request) {
  if (request.code != ::penstock::ErrorCode::unavailable)
    std::fprintf(stderr, "another reason: %s\\n", request.message.c_str());
}

}  // namespace another
`;

let dir: string;
const started: Running[] = [];
async function start(binary: string): Promise<Running> {
  const running = await startBinary(dir, binary, { PENSTOCK_RUN: run });
  started.push(running);
  return running;
}
beforeAll(async () => {
  dir = penstock.project("another", TOPOLOGY);
  expect(await penstock.run(["generate", dir])).toMatchObject({ code: 0 });
  writeFileSync(path.join(dir, "src/services/lost.cpp"), LOST);
  const built = await penstock.run(["build", dir]);
  expect(built, built.stderr).toMatchObject({ code: 0 });
});
afterAll(async () => {
  for (const { child } of started) child.kill("SIGKILL");
  rmSync(run, { recursive: true, force: true });
  await penstock.cleanUp();
});

const served = (of: Running, services = "Keep"): Promise<number> =>
  counter(of.control, "penstock_requests_total", services);
const events = (of: Running, name: string, outcome: string): Promise<number> =>
  counter(of.control, "penstock_flow_events_total", `flow="${name}",binary="front",outcome="${outcome}"`);
/** Milliseconds until it is true, which is looked at 100 times a second. */
async function waitsFor(what: string, isTrue: () => Promise<boolean>): Promise<number> {
  const from = performance.now();
  const end = from + 60_000;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`not within a minute: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - from;
}

test("a process that comes is asked within a second, and with one that is killed nothing is lost that may be asked twice", async () => {
  const [front, first] = [await start("front"), await start("back")];
  await until("events come through", async () => (await served(first)) > PER_SECOND);

  const second = await start("back");
  const found = await waitsFor("the second process is asked", async () => (await served(second)) > 0);
  await until("both are asked", async () => (await served(second)) > PER_SECOND);

  // So that it has some under way.
  first.child.kill("SIGSTOP");
  // It is asked whenever the other one has no fewer under way: of each flow it keeps some soon.
  const before = await served(second);
  await until("the other one does the rest", async () => (await served(second)) > before + 2 * PER_SECOND);
  first.child.kill("SIGKILL");
  const noticed = await waitsFor(
    "the death is noticed",
    async () => (await counter(front.control, "penstock_link_broken_total", "back")) > 0,
  );
  const alone = await served(second);
  await until("events come through", async () => (await served(second)) > alone + 2 * PER_SECOND);

  const lost = await served(front, "Lost");
  expect(front.said()).not.toContain("another reason");
  expect(await events(front, "Twice", "failed")).toBe(0);
  for (const name of ["Twice", "Once"]) expect(await events(front, name, "dropped")).toBe(0);
  // What it had under way, each of them once.
  expect(await events(front, "Once", "failed")).toBe(lost);
  expect(lost).toBeGreaterThanOrEqual(1);
  process.stdout.write(
    `a second process is asked ${found.toFixed(0)} ms after it is ready, the death of one noticed within ${noticed.toFixed(0)} ms, with ${lost} events under way\n`,
  );
  expect(found).toBeLessThanOrEqual(1000);
  expect(noticed).toBeLessThanOrEqual(1000);
  expect(await front.stop()).toBe(0);
  expect(await second.stop()).toBe(0);
});
