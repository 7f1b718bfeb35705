import { expect, test } from "vitest";
import type { TriedCalls } from "../../src/contract/index.js";
import type { TestServer } from "../../src/server/testing/testServer.js";
import { until } from "../../src/server/testing/until.js";
import { FakeProject } from "./fakeProject.js";
import { drawing } from "./fakeToolchain.js";

/** What a binary is told and asked while it runs. However long a busy machine keeps it, it is waited for. */
const fake = FakeProject.forEachTest("commands", { patience: 100 });
const running = (): Promise<unknown> =>
  until("it runs", () => state() === "running" && fake.tab.of("live-sample").length > 0);
const state = (): string => fake.tab.of("binaries").at(-1)?.binaries[0]?.state ?? "";
async function run(): Promise<void> {
  expect((await fake.server.api("POST", fake.path("/run"), {})).json).toEqual({ started: true });
}

test("should start with a preset, say what it changed, and stop a binary that refuses it", async () => {
  const { revision, layout } = (await fake.server.api("GET", fake.path())).json;
  const topology = JSON.parse(drawing("{}")) as { binaries: object[]; flows?: object[] };
  topology.binaries = topology.binaries.map((binary) => ({
    ...binary,
    presets: [
      { name: "wide", pools: [{ name: "front", threads: [{}, {}, {}, {}] }] },
      { name: "narrow", joins: [{ flow: "Events", stage: "log", join: { threads: 1 } }] },
    ],
  }));
  const saved = { topology: JSON.stringify(topology), layout };
  expect((await fake.server.api("PUT", fake.path(), saved, { "If-Match": `"${revision}"` })).status).toBe(
    200,
  );
  expect((await fake.server.api("POST", fake.path("/run"), { preset: "wide" })).status).toBe(200);
  await running();
  await fake.tab.next("live-schema", ({ schema }) => schema.pools[0]?.threads.length === 4);
  await until("it is said", () =>
    fake.tab
      .of("logs")
      .some(({ lines }) => lines.some(({ text }) => text.includes("wide is in force: front: 2 → 4 threads"))),
  );
  expect((await fake.server.api("POST", fake.path("/run"), { preset: "narrow" })).status).toBe(200);
  await until("it is stopped", () => state() === "stopped");
  await until("the reason is a problem", () =>
    fake.tab.of("build").some(({ status }) => status.problems.some(({ code }) => code === "PS515")),
  );
});

test("should relay a command, and a refusal with the rule's code", async () => {
  await fake.draw({});
  await run();
  await running();
  const command = (params: object): ReturnType<TestServer["api"]> =>
    fake.server.api("POST", fake.path("/binaries/app/command"), { method: "pool.resize", params });
  expect((await command({ pool: "front", threads: 4 })).json).toEqual({ asked: 4, actual: 4 });
  await fake.tab.next("live-schema", ({ schema }) => schema.pools[0]?.threads.length === 4);
  const refused = await command({ pool: "front", threads: 0 });
  expect(refused.status).toBe(422);
  expect(refused.json.error.problems).toMatchObject([{ code: "PS501", help: "1 to 1024 threads" }]);
  expect(
    (
      await fake.server.api("POST", fake.path("/binaries/other/command"), {
        method: "pool.resize",
        params: {},
      })
    ).status,
  ).toBe(503);
  expect(
    (await fake.server.api("POST", fake.path("/binaries/app/command"), { method: "drain", params: {} }))
      .status,
  ).toBe(400);
});

test("should ask a service once, and offer what was asked again", async () => {
  await fake.draw({});
  const call = (body: object, binary = "app"): ReturnType<TestServer["api"]> =>
    fake.server.api("POST", fake.path(`/binaries/${binary}/call`), body);
  expect((await call({ service: "GetAd", request: "{}" })).status).toBe(503);
  await run();
  await running();
  const asked = await call({ service: "GetAd", request: '{"a":1}', deadlineMs: 250 });
  expect(asked.json).toEqual({ answer: { echo: { a: 1 }, deadlineMs: 250 }, tookMs: 1.25 });
  const failed = await call({ service: "GetAd", request: '{"fail":"not_found"}' });
  expect(failed.json).toMatchObject({ error: { code: "not_found" } });
  const refused = await call({ service: "GetAd", request: "{" });
  expect(refused.status).toBe(422);
  expect(refused.json.error.problems).toMatchObject([{ code: "PS758" }]);
  expect((await call({ service: "GetAd", request: "x".repeat(60_001) })).status).toBe(400);
  expect((await call({ service: "../GetAd", request: "{}" })).status).toBe(400);
  await call({ service: "GetAd", request: '{"a":1}' });
  const kept = (await fake.server.api("GET", fake.path("/calls"))).json as unknown as TriedCalls;
  expect(kept["GetAd"]?.map(({ request }) => request)).toEqual(['{"a":1}', '{"fail":"not_found"}']);
});

test("should say of an older binary that its services cannot be asked", async () => {
  await fake.draw({ old: true });
  await run();
  await running();
  const refused = await fake.server.api("POST", fake.path("/binaries/app/call"), {
    service: "GetAd",
    request: "{}",
  });
  expect(refused.status).toBe(422);
  expect(refused.json.error.problems).toMatchObject([{ code: "PS759" }]);
});
