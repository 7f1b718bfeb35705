import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generateProject } from "../src/pipeline.js";
import {
  buildProject,
  counter,
  QUICKLY,
  startBinary,
  until,
  warningsIn,
  type Running,
} from "./support/build.js";
import { GOLDEN_FOLDER, temporaryFolder } from "./support/project.js";

/** Events of each flow; its source then has no more. */
const EVENTS = 300;
const FAILING = 42; // numbers below it that leave 6 when divided by 7
const EACH_TIER = 86; // of those that do not fail

const service = (name: string, signature: string, body: string, includes = ""): [string, string] => [
  `src/services/${name.replace(/(?<!^)([A-Z])/g, "_$1").toLowerCase()}.cpp`,
  `#include "services/${name.replace(/(?<!^)([A-Z])/g, "_$1").toLowerCase()}.hpp"
${includes}
namespace flows {

${signature} {
${body}
}

}  // namespace flows
`,
];

const alone = (): string => `  static std::atomic<bool> busy{false};
  if (busy.exchange(true)) throw penstock::Error(penstock::ErrorCode::internal, "two at once");
  std::this_thread::yield();
  busy.store(false);
`;
const ATOMIC = "\n#include <atomic>\n#include <thread>\n";

const SOURCES = [
  service(
    "Price",
    "Priced Price::handle(const Order& request)",
    `  if (request.number % 7 == 6) throw penstock::Error(penstock::ErrorCode::not_found, "no price");
  return {request.number, static_cast<Tier>(request.number % 3), 100};`,
  ),
  service(
    "Discount",
    "penstock::Task<Priced> Discount::handle(const Priced& request)",
    `  if (request.cents < 0) throw penstock::Error(penstock::ErrorCode::out_of_range, "free already");
  Priced cheaper = request;
  co_await penstock::sleep_for(std::chrono::milliseconds(1));
  cheaper.cents /= 2;
  co_return cheaper;`,
    "\n#include <chrono>\n",
  ),
  service("Bill", "Priced Bill::handle(const Priced& request)", "  return request;"),
  service("Number", "Priced Number::handle(const Priced& request)", `${alone()}  return request;`, ATOMIC),
  service("Audit", "void Audit::handle(const Priced&)", alone(), ATOMIC),
  service("Recover", "Priced Recover::handle(const Failure&)", "  return {0, Tier::FREE, -1};"),
  service("GiveUp", "void GiveUp::handle(const Failure&)", ""),
  service("Gift", "void Gift::handle(const Priced&)", ""),
  service("Ship", "void Ship::handle(const Priced&)", ""),
  ...["FanOut", "Branches", "Recovery"].map((flow): [string, string] => [
    `src/flows/${flow.replace(/(?<!^)([A-Z])/g, "_$1").toLowerCase()}.cpp`,
    `#include "flows/${flow.replace(/(?<!^)([A-Z])/g, "_$1").toLowerCase()}.hpp"

#include <penstock/service.hpp>

namespace flows {

Order ${flow}::event(std::uint64_t sequence) {
  if (sequence >= ${EVENTS}) throw penstock::Error(penstock::ErrorCode::out_of_range, "no more");
  return {sequence, "c"};
}

}  // namespace flows
`,
  ]),
];

/** Events that each stage of a flow has done, and errors where there were some. */
const EXPECTED: Record<string, Record<string, number>> = {
  FanOut: {
    price: EVENTS,
    recover: FAILING,
    left: EVENTS,
    right: EVENTS,
    gift: EVENTS,
    ship: 2 * EVENTS,
  },
  Branches: {
    price: EVENTS,
    gift: EACH_TIER,
    discount: EACH_TIER,
    bill: 2 * EACH_TIER,
    ship: 3 * EACH_TIER,
    oops: FAILING,
  },
  Recovery: {
    price: EVENTS,
    audit: EVENTS - FAILING,
    recover: FAILING,
    discount: EVENTS,
    ship: EVENTS - FAILING,
    oops: FAILING,
  },
};

async function stageCounts(running: Running): Promise<Record<string, Record<string, number>>> {
  const counts: Record<string, Record<string, number>> = {};
  for (const [flow, stages] of Object.entries(EXPECTED)) {
    counts[flow] = {};
    for (const stage of Object.keys(stages))
      counts[flow][stage] = await counter(
        running.control,
        "penstock_stage_events_total",
        `flow="${flow}",stage="${stage}"`,
      );
  }
  return counts;
}

const inFlight = async (running: Running): Promise<number> =>
  counter(running.control, "penstock_flow_events_in_flight", "flow=");
const completed = async (running: Running, flow: string): Promise<number> =>
  counter(running.control, "penstock_flow_events_total", `flow="${flow}",binary="shop",outcome="completed"`);

test("flows fan out, merge, branch, recover and suspend as they are drawn", async () => {
  using folder = temporaryFolder();
  cpSync(`${GOLDEN_FOLDER}flows`, folder.path, { recursive: true });
  // On a busy machine more may wait than there is room for, and what is refused is lost.
  const topology = `${folder.path}/topology.json`;
  const drawn = readFileSync(topology, "utf8");
  const roomy = drawn.replace('"queue": 64, "overflow": "reject"', '"queue": 1024, "overflow": "reject"');
  expect(roomy).not.toBe(drawn);
  writeFileSync(topology, roomy);
  expect(await generateProject(folder.path)).toMatchObject({ ok: true });
  for (const [path, text] of SOURCES) writeFileSync(`${folder.path}/${path}`, text);
  // As the preset `fastest` does: the compiler sees all handlers of a chain.
  const asOne = [...QUICKLY, "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON"];
  expect(warningsIn(buildProject(folder.path, ["shop"], asOne))).toEqual([]);
  const running = await startBinary(folder.path, "shop");
  await until("all events are through", async () => {
    const counts = await stageCounts(running);
    const through = Object.keys(EXPECTED).every((flow) => (counts[flow]?.["price"] ?? 0) >= EVENTS);
    return through && (await inFlight(running)) === 0;
  });
  expect(await stageCounts(running)).toEqual(EXPECTED);
  // An event that was divided is one event.
  expect(await completed(running, "FanOut")).toBe(EVENTS);
  expect(await completed(running, "Branches")).toBe(EVENTS - FAILING);
  expect(await completed(running, "Recovery")).toBe(EVENTS - FAILING);
  expect(await running.stop()).toBe(0);
}, 900_000);
