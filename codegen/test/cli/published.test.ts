import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startNats } from "../support/natsServer.js";
import { ownPort } from "../support/ownPort.js";
import { eventsOf, Penstock } from "./penstock.js";

/** Two binaries without a drawn call between them: handlers of the one publish what those of the other resolve. */
const penstock = new Penstock();
const PORT = ownPort("published");
let dir: string;
let running: ReturnType<Penstock["start"]> | undefined;
let server: Awaited<ReturnType<typeof startNats>> | undefined;
const patient = { timeout: 600_000, interval: 200 };

const word = (name: string): object => ({ name, fields: [{ name: "text", type: "string", tag: 1 }] });
const service = (name: string): object => ({
  name,
  request: "Question",
  response: "Answer",
  kind: "async-remote",
});
const drawing = (nats: string): object => ({
  penstock: 1,
  name: "market",
  messages: [word("Question"), word("Answer")],
  services: [service("Open"), service("Close"), service("Ask")],
  bundles: [
    { name: "Shop", services: ["Open", "Close"] },
    { name: "Street", services: ["Ask"] },
  ],
  binaries: [
    { name: "shop", bundles: ["Shop", "Street"], listen: [`tcp://127.0.0.1:${PORT}`], discovery: nats },
    { name: "front", bundles: ["Street"] },
  ],
});

const SHOP = `#pragma once

#include <penstock/net.hpp>

namespace market {
inline penstock::Published offer;
}
`;
const HANDLERS = {
  open: `#include "services/open.hpp"

#include "messages_codec.hpp"
#include "shop.hpp"

namespace market {

penstock::Task<Answer> Open::handle(const Question& request) {
  penstock::PublishOptions options;
  if (request.text != "all") options.callers = {request.text};
  offer = penstock::publish<Question, Answer>(
      "Shop/Price", [](const Question& asked) { return Answer{.text = asked.text + " costs 5"}; },
      options);
  co_return Answer{.text = "open"};
}

}  // namespace market
`,
  close: `#include "services/close.hpp"

#include "shop.hpp"

namespace market {

penstock::Task<Answer> Close::handle(const Question&) {
  co_await penstock::unpublish(std::move(offer));
  co_return Answer{.text = "closed"};
}

}  // namespace market
`,
  ask: `#include "services/ask.hpp"

#include <penstock/net.hpp>

#include "messages_codec.hpp"

namespace market {

penstock::Task<Answer> Ask::handle(const Question& request) {
  const auto price = co_await penstock::resolve<Question, Answer>(request.text);
  const Question tea{.text = "tea"};
  co_return co_await price(tea);
}

}  // namespace market
`,
};

beforeAll(async () => {
  dir = mkdtempSync(path.join(penstock.folder, "market-"));
  mkdirSync(path.join(dir, "src/services"), { recursive: true });
  server = await startNats(mkdtempSync(path.join(penstock.folder, "nats-")));
  writeFileSync(path.join(dir, "topology.json"), JSON.stringify(drawing(server.url)));
  writeFileSync(path.join(dir, "src/shop.hpp"), SHOP);
  for (const [name, text] of Object.entries(HANDLERS))
    writeFileSync(path.join(dir, `src/services/${name}.cpp`), text);
  penstock.trust(dir);
  const built = await penstock.run(["build", dir]);
  expect(built.stderr).not.toContain("warning");
  expect(built.code).toBe(0);
  running = penstock.start(["run", dir, "--json"], { env: { PENSTOCK_PATIENCE: "60" } });
  let said = "";
  running.child.stdout?.on("data", (text: string) => (said += text));
  const ready = () => eventsOf<{ event: string }>(said).filter(({ event }) => event === "ready");
  await vi.waitUntil(() => ready().length === 2, patient);
}, 900_000);
afterAll(async () => {
  running?.child.kill("SIGINT");
  await running?.ended;
  server?.stop();
  await penstock.cleanUp();
});

const URI = `tcp://127.0.0.1:${PORT}/Shop/Price`;
/** What a service says to a text, or why not. */
async function call(target: string, text: string): Promise<string> {
  const asked = await penstock.run([
    "call",
    target,
    JSON.stringify({ text }),
    "--project",
    dir,
    "--deadline",
    "60000",
  ]);
  return asked.code === 0 ? (JSON.parse(asked.stdout) as { text: string }).text : asked.stderr;
}
/** In the end: who reaches nobody for two seconds is told so, which is little time where much else runs. */
const heard = (text: string, uri = URI, asker = "front") =>
  vi.waitFor(async () => expect(await call(`${asker}/Ask`, uri)).toContain(text), patient);
const resolve = (...target: string[]) => penstock.run(["resolve", ...target]);

test("handlers of one binary publish what those of another one resolve and call", async () => {
  await heard("unimplemented");
  await heard("has no service Shop/Price");
  expect(await call("shop/Open", "all")).toBe("open");
  await heard("tea costs 5");
  // Where the drawing says that it is found.
  await heard("tea costs 5", "binary://shop/Shop/Price");
  // Whichever binary asks, the one itself as well.
  await heard("tea costs 5", "binary://shop/Shop/Price", "shop");

  // So does whoever has a terminal.
  expect(await call(URI, "jam")).toBe("jam costs 5");
  expect(await call("shop/Shop/Price", "jam")).toBe("jam costs 5");
  expect(await call("binary://shop/Shop/Price", "jam")).toBe("jam costs 5");
  expect(await call(`tcp://127.0.0.1:${PORT}/Shop/Nothing`, "jam")).toContain(
    "nothing is published as Shop/Nothing",
  );
  const published = await resolve(URI);
  expect(published.code).toBe(0);
  expect(published.stdout).toMatch(/leads to shop \(process \d+\)\n {2}Shop\/Price is published there\n$/);
  expect((await resolve(`tcp://127.0.0.1:${PORT}/Shop/Open`)).stdout).toContain("Shop/Open is drawn there");
  expect(await resolve(`tcp://127.0.0.1:${PORT}/Shop/Nothing`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("it neither is drawn nor published now") as string,
  });

  // And who is not meant to is told so, until they are.
  expect(await call("shop/Close", "")).toBe("closed");
  expect(await call(URI, "jam")).toContain("nothing is published as Shop/Price");
  await heard("has no service Shop/Price");
  expect(await call("shop/Open", "others")).toBe("open");
  await heard("front is not one of those who may call");
  expect(await call("shop/Close", "")).toBe("closed");
}, 900_000);

test("what cannot be resolved says why", async () => {
  await heard("Connection refused", "tcp://127.0.0.1:1/Shop/Price");
  await heard("it is not running", "local://nobody/Shop/Price");
  await heard("it is not running", "binary://nobody/Shop/Price");
  await heard("is called with keys", "tls://127.0.0.1:1/Shop/Price");
  expect(await call("tcp://127.0.0.1:1/Shop/Price", "jam")).toContain("nobody listens at tcp://127.0.0.1:1");
  expect((await resolve("tcp://127.0.0.1/Shop/Price")).code).toBe(2);
}, 900_000);
