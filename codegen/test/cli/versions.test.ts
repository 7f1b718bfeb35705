import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { eventsOf, Penstock } from "./penstock.js";

/**
 * A shop that was built and started from one version of a drawing, and those who ask it, built and started from later
 * ones: with fields added it is understood, calls and stages; with a field of another type it is not.
 */
const penstock = new Penstock();
const running: ReturnType<Penstock["start"]>[] = [];
const patient = { timeout: 600_000, interval: 200 };
/** All versions find each other there. */
const env = { PENSTOCK_RUN: mkdtempSync("/tmp/penstock-"), PENSTOCK_PATIENCE: "60" };

interface Field {
  name: string;
  type: string;
  tag: number;
}
const PRICE: Field = { name: "price", type: "int32", tag: 1 };
const TEXT: Field = { name: "text", type: "string", tag: 1 };
const service = (name: string, response?: string): object => ({
  name,
  request: name === "Note" ? "Answer" : "Question",
  response,
});
const drawing = (question: Field[], answer: Field[]): object => ({
  penstock: 1,
  name: "market",
  messages: [
    { name: "Question", fields: question },
    { name: "Answer", fields: answer },
  ],
  services: [
    service("Price", "Answer"),
    { ...service("Ask", "Answer"), kind: "async-remote", calls: ["Price"] },
    service("Note"),
  ],
  flows: [
    {
      name: "Ticks",
      event: "Question",
      source: { kind: "rate", perSecond: 50 },
      stages: [
        { id: "price", service: "Price" },
        { id: "note", service: "Note", role: "side-effect" },
      ],
    },
  ],
  bundles: [
    { name: "Shop", services: ["Price"] },
    { name: "Street", services: ["Ask", "Note"], flows: ["Ticks"] },
  ],
  binaries: [
    { name: "shop", bundles: ["Shop"] },
    { name: "front", bundles: ["Street"] },
  ],
});

/** Builds one binary of a version, starts it, and returns the project's folder once it is ready. */
async function start(binary: string, name: string, topology: object, handler: string): Promise<string> {
  const dir = penstock.project(name, topology);
  mkdirSync(path.join(dir, "src/services"), { recursive: true });
  const service = binary === "shop" ? "price" : "ask";
  writeFileSync(path.join(dir, `src/services/${service}.cpp`), handler);
  const run = penstock.start(["run", dir, "--binary", binary, "--json"], { env });
  running.push(run);
  let said = "";
  run.child.stdout?.on("data", (text: string) => (said += text));
  await vi.waitUntil(() => eventsOf<{ event: string }>(said).some(({ event }) => event === "ready"), patient);
  return dir;
}

const SHOP = `#include "services/price.hpp"

namespace market {

Answer Price::handle(const Question& request) {
  return {.price = static_cast<std::int32_t>(request.text.size())};
}

}  // namespace market
`;
const FRONT = `#include "services/ask.hpp"

namespace market {

penstock::Task<Answer> Ask::handle(const Question& request) { co_return co_await calls.Price(request); }

}  // namespace market
`;

afterAll(async () => {
  for (const { child } of running) child.kill("SIGINT");
  await Promise.all(running.map(({ ended }) => ended));
  rmSync(env.PENSTOCK_RUN, { recursive: true, force: true });
  await penstock.cleanUp();
});

async function ask(dir: string): Promise<string> {
  const asked = await penstock.run(
    ["call", "front/Ask", JSON.stringify({ text: "tea" }), "--project", dir, "--deadline", "60000"],
    { env },
  );
  return asked.code === 0 ? asked.stdout : asked.stderr;
}

test("binaries of two versions of a drawing understand each other as long as no field is misread", async () => {
  await start("shop", "first", drawing([TEXT], [PRICE]), SHOP);

  const language = { name: "language", type: "string", tag: 2 };
  const currency = { name: "currency", type: "string", tag: 7 };
  const newer = await start("front", "second", drawing([TEXT, language], [PRICE, currency]), FRONT);
  expect(JSON.parse(await ask(newer))).toMatchObject({ price: 3 });
  // A stage, whose answers have a frame of their own, likewise.
  await vi.waitUntil(async () => {
    const { stdout } = await penstock.run(["monitor", newer, "--once", "--json"], { env });
    return eventsOf<{ nodes?: { node: string; total: number }[] }>(stdout).some(({ nodes }) =>
      nodes?.some(({ node, total }) => node.includes("Note") && total > 0),
    );
  }, patient);
  const before = running.pop()!;
  before.child.kill("SIGINT");
  await before.ended;

  const inCents = { ...PRICE, type: "string" };
  const other = await start("front", "third", drawing([TEXT], [inCents]), FRONT);
  expect(await ask(other)).toMatch(
    /unimplemented.*shop: the answer of Shop\/Price has another definition there \([0-9a-f]{16}, here [0-9a-f]{16}\): price is string here and int32 there/,
  );
}, 1_800_000);
