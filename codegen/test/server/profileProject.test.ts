import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Profile } from "../../src/contract/index.js";
import { fakePerf, type Records } from "../../src/profile/testing/fakePerf.js";
import { until } from "../../src/server/testing/until.js";
import { FakeProject } from "./fakeProject.js";

const mine = FakeProject.forEachTest("profile");
const { PATH } = process.env;
afterEach(() => {
  process.env["PATH"] = PATH;
});
const perf = (records: Records): void => {
  process.env["PATH"] = fakePerf(join(mine.root, "perf"), records, "fake");
};
const record = (request: object) => mine.server.api("POST", mine.path("/profile"), request);

beforeEach(async () => {
  await mine.draw({});
  expect((await mine.server.api("POST", mine.path("/run"), {})).status).toBe(200);
  await until("it runs", () => mine.tab.of("live-sample").length > 0);
});

test("should answer whose the CPU time of what runs is", async () => {
  perf("kept");
  const { status, json } = await record({ binary: "app", seconds: 2 });
  expect(status).toBe(200);
  const { binary, processes, seconds, samples, owners } = json as Profile;
  expect({ binary, processes, seconds, samples }).toEqual({
    binary: "app",
    processes: ["app"],
    seconds: 2,
    samples: 57,
  });
  // Of the services in the recording this drawing has one alone: what that one called is its own.
  expect(owners.filter(({ kind }) => kind === "service")).toEqual([
    { kind: "service", name: "GetAd", samples: 14 },
  ]);
});

test("should record one at a time, and end it when it is asked to", async () => {
  perf("endless");
  const recording = record({ binary: "app" });
  await until("it records", () => existsSync(join(mine.root, "perf", "asked-record")));
  expect((await record({ binary: "app" })).json.error.message).toBe("mine is being recorded");
  expect((await mine.server.api("DELETE", mine.path("/profile"))).json).toEqual({ cancelled: true });
  const { status, json } = await recording;
  expect(status).toBe(503);
  expect(json.error.message).toBe("The recording was cancelled");
  expect((await mine.server.api("DELETE", mine.path("/profile"))).json).toEqual({ cancelled: false });
});

test("should end a recording whose page is closed, and record for the next one", async () => {
  perf("endless");
  const page = new AbortController();
  const { host, server } = mine.server;
  const left = fetch(`http://${host}${mine.path("/profile")}`, {
    method: "POST",
    body: JSON.stringify({ binary: "app" }),
    headers: {
      Authorization: `Bearer ${server.token}`,
      Origin: `http://${host}`,
      "Content-Type": "application/json",
    },
    signal: page.signal,
  }).catch(({ name }: Error) => name);
  await until("it records", () => existsSync(join(mine.root, "perf", "asked-record")));
  page.abort();
  expect(await left).toBe("AbortError");
  perf("kept");
  await until(
    "the next one is recorded",
    async () => (await record({ binary: "app" })).status === 200,
    60_000,
  );
});

test("should say why nothing is recorded, and what helps", async () => {
  perf("refused");
  const refused = await record({ binary: "app" });
  expect(refused.status).toBe(503);
  expect(refused.json.error.problems).toMatchObject([{ code: "PS899" }]);
  expect(refused.json.error.help).toContain("kernel.perf_event_paranoid");
  expect((await record({ binary: "other" })).json.error.message).toBe("No process of other was started here");
  for (const request of [
    {},
    { binary: "../app" },
    { binary: "app", seconds: 0 },
    { binary: "app", seconds: 61 },
  ])
    expect((await record(request)).status).toBe(400);
});

test("should end a recording with the server", async () => {
  perf("endless");
  const recording = record({ binary: "app" });
  await until("it records", () => existsSync(join(mine.root, "perf", "asked-record")));
  await mine.restart();
  // Its answer may come no more.
  const status = await recording.then(
    (answer) => answer.status,
    () => 503,
  );
  expect(status).toBe(503);
});
