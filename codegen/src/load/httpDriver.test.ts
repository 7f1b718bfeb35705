import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { LOAD_DEFAULTS, type LoadReport, type LoadSettings } from "../contract/index.js";
import { LoadRefused } from "./driver.js";
import { HttpDriver, type HttpLoad } from "./httpDriver.js";
import { bodyMaker } from "./requestTemplate.js";
import { runLoad } from "./runLoad.js";

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  server = undefined;
});

/** Serves `answer` on a port of its own; resolves with its address. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> {
  // No connection is ended while it idles: a request may be on its way then.
  const made = createServer({ keepAliveTimeout: 0 }, answer);
  server = made;
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(made.address() as AddressInfo).port}/mo`);
}

/** A target that answers each request as it comes. */
const desk = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume();
  response.end("done");
};

const load = (url: URL, more: Partial<HttpLoad> = {}): HttpLoad => ({
  url,
  method: "GET",
  body: undefined,
  headers: {},
  connections: 256,
  timeoutMs: 10_000,
  ...more,
});
const run = (
  driver: HttpDriver,
  settings: Partial<LoadSettings>,
  signal: AbortSignal = new AbortController().signal,
  onReport?: (report: LoadReport) => void,
): Promise<LoadReport> =>
  runLoad({
    target: { kind: "url", method: "GET", url: "http://here" },
    settings: { ...LOAD_DEFAULTS, ...settings },
    driver,
    signal,
    ...(onReport ? { onReport } : {}),
  });

describe("a load on an address", () => {
  test("should send numbered bodies, each once, and headers", async () => {
    const bodies: string[] = [];
    const types = new Set<string | undefined>();
    const url = await serve((request, response) => {
      let body = "";
      types.add(request.headers["content-type"]);
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => {
        bodies.push(body);
        response.end();
      });
    });
    const driver = new HttpDriver(
      load(url, {
        method: "POST",
        body: '{"number": {{n}}, "text": "ä"}',
        headers: { "content-type": "application/json" },
      }),
    );
    const report = await run(driver, { start: 100, step: 0, forS: 2 });
    const numbers = bodies.map((body) => (JSON.parse(body) as { number: number }).number);
    // The last ones can still be on their way when the load ends.
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.filter((number) => !(number >= 1 && number <= 200))).toEqual([]);
    expect(numbers.length).toBeGreaterThan(0);
    expect(report.seconds.reduce((sum, { sent }) => sum + sent, 0)).toBe(200);
    expect([...types]).toEqual(["application/json"]);
  });

  test("should begin its first second when it begins, in a process that is younger than a second too", async () => {
    const url = await serve(desk);
    const driver = new HttpDriver(load(url));
    let now = 300;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    try {
      expect(driver.whole()).toMatchObject({ tookMs: 0, sent: 0 });
      const second = driver.second(100);
      expect(driver.whole()).toMatchObject({ tookMs: 0, sent: 1 });
      now = 700;
      expect(driver.whole().tookMs).toBe(400);
      await driver.end();
      expect(await second).toBeNull();
    } finally {
      vi.restoreAllMocks();
    }
  });

  test("should keep all of its connections between requests, however many they are", async () => {
    const many = 300;
    const held: ServerResponse[] = [];
    const url = await serve((request, response) => {
      request.resume();
      if (held.push(response) === many) for (const one of held.splice(0)) one.end();
    });
    let connections = 0;
    server!.on("connection", () => ++connections);
    const patient = { connections: many, timeoutMs: 600_000, drainMs: 600_000 };
    const { whole } = await run(new HttpDriver(load(url, patient)), { start: many, step: 0, forS: 2 });
    expect(whole).toMatchObject({ sent: 2 * many, completed: 2 * many, failed: 0 });
    // One more has looked whether anybody listens.
    expect(connections).toBe(many + 1);
  });

  test("should wait at the end for what is on its way when told to, and count it in the whole", async () => {
    let held: (() => void)[] | null = [];
    const url = await serve((request, response) => {
      request.resume();
      const answer = (): void => void response.end();
      if (held === null) answer();
      else held.push(answer);
    });
    const patient = { timeoutMs: 600_000 };
    const second = { start: 40, step: 0, forS: 1 };
    const cut = await run(new HttpDriver(load(url, patient)), second);
    expect(cut.whole).toMatchObject({ sent: 40, completed: 0, p50Us: null, maxUs: null });
    const report = await run(
      new HttpDriver(load(url, { ...patient, connections: 8, drainMs: 600_000 })),
      second,
      undefined,
      ({ seconds }) => {
        if (seconds.length === 0) return;
        // Its only second is over.
        for (const answer of held ?? []) answer();
        held = null;
      },
    );
    expect(report).toMatchObject({ outcome: "ended", seconds: [{ completed: 0 }] });
    expect(report.whole).toMatchObject({ sent: 40, completed: 40, failed: 0 });
    const { minUs, p50Us, p95Us, p99Us, maxUs } = report.whole ?? {};
    const figures = [minUs, p50Us, p95Us, p99Us, maxUs].map((micros) => micros ?? 0);
    expect(figures).toEqual(figures.toSorted((a, b) => a - b));
    expect(figures[0]).toBeGreaterThan(0);
  });

  test("should wait no longer than it was told to, and not at all for who interrupts", async () => {
    const url = await serve((request) => void request.resume());
    const second = { start: 5, step: 0, forS: 1 };
    const late = await run(new HttpDriver(load(url, { timeoutMs: 600_000, drainMs: 1 })), second);
    expect(late).toMatchObject({ outcome: "ended", whole: { sent: 5, completed: 0, failed: 0 } });
    const abort = new AbortController();
    const driver = new HttpDriver(load(url, { timeoutMs: 600_000, drainMs: 600_000 }));
    const drain = driver.drain.bind(driver);
    driver.drain = () => {
      queueMicrotask(() => abort.abort());
      return drain();
    };
    expect((await run(driver, second, abort.signal)).outcome).toBe("interrupted");
  });

  test.each([
    ["HTTP 503", 600_000],
    ["no answer within 1 s", 1_000],
  ])("should tell that requests failed of %s", async (reason, timeoutMs) => {
    let count = 0;
    const url = await serve((request, response) => {
      request.resume();
      count += 1;
      if (count % 2 === 0) response.end();
      else if (reason === "HTTP 503") response.writeHead(503).end();
    });
    const report = await run(new HttpDriver(load(url, { timeoutMs })), { start: 50, step: 0, recoveryS: 3 });
    expect(report).toMatchObject({ outcome: "broke", heldPerSecond: null });
    expect(report.failures.map((failure) => failure.reason)).toEqual([reason]);
  });

  test("should end at once when it is interrupted, with what was measured", async () => {
    const url = await serve(desk);
    const abort = new AbortController();
    const driver = new HttpDriver(load(url));
    const report = await run(driver, { start: 50, step: 0 }, abort.signal, ({ seconds }) => {
      if (seconds.length === 2) abort.abort();
    });
    expect(report).toMatchObject({ outcome: "interrupted", breakingPoint: null });
    expect(report.seconds.map(({ sent }) => sent)).toEqual([50, 50]);
    expect(await driver.second(10)).toBeNull();
  });

  test("should refuse an address that nobody listens on", async () => {
    // A port of root's that nothing has; one that was just given back may be another's by then.
    const url = new URL("http://127.0.0.1:1/");
    const refused = await run(new HttpDriver(load(url)), {}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LoadRefused);
    expect(refused).toMatchObject({ code: "PS885", kind: "environment" });
  });
});

test("should put the number of the request where the template says, and leave all else alone", () => {
  const body = bodyMaker("{{n}}-{{n}} {{x}} {n}");
  expect([1, 27].map((number) => body(number).toString())).toEqual(["1-1 {{x}} {n}", "27-27 {{x}} {n}"]);
  expect(Number(bodyMaker("{{ms}}")(1).toString())).toBeGreaterThan(1.7e12);
  const fixed = bodyMaker("same");
  expect(fixed(1)).toBe(fixed(2));
});
