import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { HttpDriver, type HttpLoad } from "../../src/load/httpDriver.js";
import { runLoad } from "../../src/load/runLoad.js";
import { LOAD_DEFAULTS, type LoadReport, type LoadSettings } from "../../src/contract/index.js";

/** The load simulator on real time: what it finds is what the target can do, on a machine that has the time. */

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  server = undefined;
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> {
  const made = createServer(answer);
  server = made;
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(made.address() as AddressInfo).port}/mo`);
}

/** A target with a known capacity: one desk that takes `1 / perSecond` for each, first come first served. */
function desk(perSecond: number): (request: IncomingMessage, response: ServerResponse) => void {
  let freeAt = performance.now();
  return (request, response) => {
    request.resume();
    freeAt = Math.max(freeAt, performance.now()) + 1000 / perSecond;
    setTimeout(() => response.end("done"), freeAt - performance.now());
  };
}

const load = (url: URL, more: Partial<HttpLoad> = {}): HttpLoad => ({
  url,
  method: "GET",
  body: undefined,
  headers: {},
  connections: 256,
  timeoutMs: 10_000,
  ...more,
});
const run = (driver: HttpDriver, settings: Partial<LoadSettings>): Promise<LoadReport> =>
  runLoad({
    target: { kind: "url", method: "GET", url: "http://here" },
    settings: { ...LOAD_DEFAULTS, ...settings },
    driver,
    signal: new AbortController().signal,
  });

test("should find the capacity of a responder whose capacity is known", async () => {
  const url = await serve(desk(250));
  const report = await run(new HttpDriver(load(url)), {
    start: 100,
    step: 100,
    periodS: 2,
    recoveryS: 4,
    tolerance: 0.2,
  });
  expect(report).toMatchObject({
    outcome: "broke",
    heldPerSecond: 200,
    breakingPoint: { perSecond: 200, brokeAt: 300 },
  });
  expect(report.seconds[1]).toMatchObject({ target: 100, failed: 0 });
  // Overloaded, it still does what it can.
  const last = report.seconds.at(-1);
  expect(last?.completed).toBeGreaterThan(220);
  expect(last?.completed).toBeLessThan(280);
});

test("should count the wait of those that were due while the target stalled", async () => {
  let count = 0;
  const url = await serve((request, response) => {
    request.resume();
    count += 1;
    // One answer is held for two seconds; behind it, on the only connection, nothing is even asked.
    if (count === 150) setTimeout(() => response.end(), 2000);
    else response.end();
  });
  const report = await run(new HttpDriver(load(url, { connections: 1 })), { start: 200, step: 0, forS: 5 });
  const most = Math.max(...report.seconds.map(({ maxUs }) => maxUs ?? 0));
  const late = report.seconds.filter(({ p50Us }) => (p50Us ?? 0) > 100_000);
  // Four hundred were due meanwhile: the second in which they are answered has twice as many of them as of others.
  expect(most).toBeGreaterThan(1_900_000);
  expect(late.length).toBeGreaterThan(0);
  expect(report.seconds.reduce((sum, { sent }) => sum + sent, 0)).toBeGreaterThan(900);
});
