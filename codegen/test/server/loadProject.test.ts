import { mkdtemp, readFile, rm, stat, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LOAD_DEFAULTS, type LoadRequest, type LoadStatus } from "../../src/contract/index.js";
import { until } from "../../src/server/testing/until.js";
import { projectKeys } from "../support/projectKeys.js";
import { FakeProject } from "./fakeProject.js";

const mine = FakeProject.forEachTest("load", { patience: 100 });
/**
 * Runs the fake binary: a flow that does 420 events a second; its clock runs twenty times as fast as ours, so a
 * moment in which the machine is busy is seconds of it. Where exactly a load breaks is seen in src/load/.
 */
async function run(): Promise<void> {
  await mine.draw({ capacity: 420, tickMs: 5 });
  expect((await mine.server.api("POST", mine.path("/run"), {})).status).toBe(200);
  await until("it runs", () => mine.tab.of("live-sample").length > 0);
}
const ticks: LoadRequest = {
  target: { kind: "flow", binary: "app", flow: "Events" },
  settings: { ...LOAD_DEFAULTS, start: 200, step: 100, periodS: 4, recoveryS: 5 },
};
const begin = (request: object) => mine.server.api("POST", mine.path("/load"), request);
const ended = (phase: LoadStatus["phase"]) => mine.tab.next("load", ({ status }) => status.phase === phase);
const folder = (): string => join(mine.server.workspace, "mine");

test("should load a flow of what runs until it breaks, and tell every second of it", async () => {
  await run();
  expect((await begin(ticks)).json).toEqual({ started: true });
  expect((await begin(ticks)).json.error.message).toBe("mine is being loaded right now");
  const { status } = await ended("broke");
  expect(status.problems).toEqual([]);
  const { seconds = [], breakingPoint } = status.report ?? {};
  expect(seconds.at(-1)).toMatchObject({ held: false });
  expect(seconds[breakingPoint?.second ?? -1]).toMatchObject({ target: breakingPoint?.brokeAt });
  expect([...new Set(mine.tab.of("load").map((message) => message.status.phase))]).toEqual([
    "idle",
    "starting",
    "loading",
    "broke",
  ]);
  expect(mine.tab.of("load-second").map(({ second }) => second)).toEqual(seconds);
  expect(mine.tab.of("load-second").at(-1)?.heldPerSecond).toBe(status.report?.heldPerSecond);
});

test("should keep the last load for whoever opens the project, also after the server was started anew", async () => {
  await run();
  await begin(ticks);
  const { status } = await ended("broke");
  expect(await readFile(join(folder(), "build/load/load.svg"), "utf8")).toContain("; broke at ");
  await mine.restart();
  expect((await mine.tab.next("load")).status).toEqual({
    phase: "idle",
    report: status.report,
    problems: [],
  });
});

test("should stop a load with what was measured, and give the flow its rate back", async () => {
  await run();
  await begin({ ...ticks, settings: { ...ticks.settings, step: 0 } });
  await until("it loads", () => mine.tab.of("load-second").length > 2);
  expect((await mine.server.api("DELETE", mine.path("/load"))).json).toEqual({ cancelled: true });
  const { status } = await ended("interrupted");
  expect(status.report?.seconds.length).toBeGreaterThan(2);
  expect(status.report).toMatchObject({ breakingPoint: null });
  expect((await mine.server.api("DELETE", mine.path("/load"))).json).toEqual({ cancelled: false });
  const rate = (): number => {
    const [before, now] = mine.tab.of("live-sample").slice(-2);
    const events = (now?.sample.flows[0]?.[1] ?? 0) - (before?.sample.flows[0]?.[1] ?? 0);
    return (events * 1000) / ((now?.sample.t ?? 0) - (before?.sample.t ?? 0));
  };
  await until("the rate is back", () => rate() > 80 && rate() < 120);
});

test("should give what crashed under a load the rate that the load found, once it is started anew", async () => {
  await run();
  const set = { method: "source.set", params: { flow: "Events", perSecond: 40 } };
  expect((await mine.server.api("POST", mine.path("/binaries/app/command"), set)).status).toBe(200);
  await begin({ ...ticks, settings: { ...ticks.settings, step: 0 } });
  await until("it loads", () => mine.tab.of("load-second").length > 2);
  process.kill(mine.tab.of("binaries").at(-1)?.binaries[0]?.pid ?? 0, "SIGKILL");
  await ended("failed");
  const words = (): string | undefined =>
    mine.tab
      .of("logs")
      .flatMap(({ lines }) => lines.map(({ text }) => text))
      .find((text) => text.startsWith("app was changed live before"));
  await until("it runs as it did", words);
  expect(words()).toBe("app was changed live before: Events: 100/s → 40/s");
});

test("should say why there is no load: nothing runs, no such flow, no address of this machine, no number", async () => {
  expect((await begin(ticks)).json.error.message).toBe("app is not running");
  for (const url of ["http://example.org/", "http://127.0.0.1.example.org/", "file:///etc/passwd", "no"]) {
    const { status, json } = await begin({ ...ticks, target: { kind: "url", method: "GET", url } });
    expect([status, json.error.code]).toEqual([422, "address"]);
  }
  expect((await begin({ ...ticks, settings: { ...ticks.settings, periodS: 0.5 } })).status).toBe(400);
  await run();
  await begin({ ...ticks, target: { kind: "flow", binary: "app", flow: "Tocks" } });
  const { status } = await ended("failed");
  expect(status).toMatchObject({
    report: null,
    problems: [{ code: "PS884", message: "app has no flow Tocks" }],
  });
});

test("should send requests to an address of this machine", async () => {
  const bodies: string[] = [];
  const sent: (string | undefined)[] = [];
  const responder = createServer((request, response) => {
    sent.push(request.headers.authorization, request.headers["content-type"]);
    request.setEncoding("utf8").on("data", (text: string) => bodies.push(text));
    request.on("end", () => response.end());
  });
  await new Promise<void>((resolve) => responder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void responder.close(() => resolve())));
  const url = `http://127.0.0.1:${(responder.address() as AddressInfo).port}/mo`;
  await begin({
    target: { kind: "url", method: "POST", url },
    settings: { ...ticks.settings, start: 20, forS: 1 },
    body: '{"n": {{n}}}',
    headers: ["Authorization: Bearer some-token"],
  });
  const { status } = await ended("ended");
  expect(status.report?.seconds).toMatchObject([{ target: 20, sent: 20 }]);
  expect(bodies[0]).toBe('{"n": 1}');
  expect(sent.slice(0, 2)).toEqual(["Bearer some-token", "application/json"]);
  // What it was asked with is nobody's who opens the project.
  expect(JSON.stringify(status)).not.toContain("some-token");
  expect((await begin({ ...ticks, headers: ["x: y\r\nz: 1"] })).status).toBe(400);
});

test("should trust the keys of the project at an address of this machine", async () => {
  await projectKeys(folder(), "fake", "app", ["127.0.0.1"]);
  const [cert, key] = await Promise.all(
    ["app.crt", "app.key"].map((name) => readFile(join(folder(), "keys", name))),
  );
  let asked = 0;
  const responder = createSecureServer({ cert, key }, (request, response) => {
    asked += 1;
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => responder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    responder.close();
    responder.closeAllConnections();
  });
  const url = `https://127.0.0.1:${(responder.address() as AddressInfo).port}/`;
  await begin({
    target: { kind: "url", method: "GET", url },
    settings: { ...ticks.settings, start: 20, step: 0 },
  });
  await until("it is asked", () => asked > 0);
  expect((await mine.server.api("DELETE", mine.path("/load"))).json).toEqual({ cancelled: true });
  await ended("interrupted");
});

test("should not write out of the project through a link that came with it", async () => {
  const outside = await mkdtemp(join(tmpdir(), "penstock-outside-"));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  await run();
  await symlink(outside, join(folder(), "build", "load"));
  await begin({ ...ticks, settings: { ...ticks.settings, forS: 1 } });
  const { status } = await ended("failed");
  expect(status.problems[0]?.message).toContain("build/load is a symbolic link");
  await expect(stat(join(outside, "load.json"))).rejects.toThrow("ENOENT");
});
