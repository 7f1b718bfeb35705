import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { generateProject } from "../src/pipeline.js";
import { buildProject, counter, startBinary, until, warningsIn } from "./support/build.js";
import { putTopology, temporaryFolder } from "./support/project.js";

const SOURCES = {
  "src/services/book.state.hpp": `#pragma once

#include <cstdint>
#include <map>
#include <penstock/service.hpp>

template <>
struct penstock::State<shop::Book> {
  std::map<std::int64_t, std::uint64_t> last;
};
`,
  "src/services/book.cpp": `#include "services/book.hpp"

#include <atomic>
#include <thread>

namespace shop {
namespace {

std::atomic<int> inside{0};
std::atomic<bool> met{false};

}  // namespace

void Book::handle(const Order& order) {
  // Nobody gets past this before the orders of two customers are here at the same time.
  inside.fetch_add(1);
  while (!met.load()) {
    if (inside.load() >= 2) met.store(true);
    std::this_thread::yield();
  }
  inside.fetch_sub(1);
  std::uint64_t& last = state.last[order.customer];
  if (order.number != ++last) {
    throw penstock::Error(penstock::ErrorCode::out_of_range, "not the customer's next order");
  }
}

}  // namespace shop
`,
  "src/flows/orders.cpp": `#include "flows/orders.hpp"

namespace shop {

Order Orders::event(std::uint64_t sequence) {
  return {static_cast<std::int64_t>(sequence % 7) - 3, sequence / 7 + 1};
}

}  // namespace shop
`,
};

test("a partitioned service runs the values side by side, each in order", async () => {
  using folder = temporaryFolder();
  putTopology(folder.path, {
    penstock: 1,
    name: "shop",
    messages: [
      {
        name: "Order",
        fields: [
          { name: "customer", type: "int64", tag: 1 },
          { name: "number", type: "uint64", tag: 2 },
        ],
      },
    ],
    services: [{ name: "Book", request: "Order", kind: "single-threaded", partitionBy: "customer" }],
    flows: [
      {
        name: "Orders",
        event: "Order",
        source: { kind: "rate", perSecond: 500 },
        stages: [{ id: "book", service: "Book", join: { pool: "desks" } }],
      },
    ],
    bundles: [{ name: "Shop", services: ["Book"], flows: ["Orders"] }],
    binaries: [
      {
        name: "shop-server",
        bundles: ["Shop"],
        pools: [{ name: "desks", threads: [{}, {}] }],
        placement: { Book: { pool: "desks" } },
      },
    ],
  });
  for (const [path, text] of Object.entries(SOURCES)) {
    const file = join(folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(await generateProject(folder.path)).toMatchObject({ ok: true });
  expect(warningsIn(buildProject(folder.path, ["shop-server"]))).toEqual([]);
  const running = await startBinary(folder.path, "shop-server");
  const count = (name: string): Promise<number> => counter(running.control, name, 'service="Book"');
  await until("orders are booked", async () => (await count("penstock_requests_total")) > 700);
  expect(await count("penstock_errors_total")).toBe(0);
  expect(await running.stop()).toBe(0);
}, 900_000);
