import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TestSocket } from "../../src/server/testing/testSocket.js";
import { until } from "../../src/server/testing/until.js";
import { FakeProject } from "./fakeProject.js";

const mine = FakeProject.forEachTest("bench");
const measured = [
  { name: "GetAd", service: "GetAd", unit: "ns/call", median: 250, min: 250, max: 250, runs: 5 },
];

/** Command lines of what still measures in this server's folder. */
const measuring = (): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .filter((line) => line.includes(mine.root) && line.includes("_benches"));

test("should build and measure by one request, and say every step on the socket", async () => {
  await mine.draw({});
  expect((await mine.server.api("POST", mine.path("/bench"), {})).json).toEqual({ started: true });
  const { status } = await mine.tab.next("bench", ({ status: one }) => one.phase === "succeeded");
  const phases = mine.tab.of("bench").map(({ status: one }) => one.phase);
  expect([...new Set(phases)]).toEqual([
    "idle",
    "generating",
    "configuring",
    "compiling",
    "measuring",
    "succeeded",
  ]);
  const runs = mine.tab.of("bench").filter(({ status: one }) => one.phase === "measuring" && one.total > 0);
  expect(runs.map(({ status: one }) => one.done)).toEqual([0, 1, 2, 3, 4]);
  expect(status).toMatchObject({ results: measured, skipped: [], previous: [], problems: [] });
});

test("should keep the figures for whoever opens the project, also after the server was started anew", async () => {
  await mine.draw({});
  await mine.server.api("POST", mine.path("/bench"), { service: "GetAd" });
  await mine.tab.next("bench", ({ status }) => status.phase === "succeeded");
  const other = await TestSocket.open(mine.server, mine.project);
  expect((await other.next("bench")).status).toMatchObject({ phase: "succeeded", results: measured });
  other.close();
  await mine.restart();
  expect((await mine.tab.next("bench")).status).toMatchObject({ phase: "idle", results: measured });
});

test("should not measure while a build runs, nor build while it measures", async () => {
  await mine.draw({ endlessBuild: true });
  expect((await mine.server.api("POST", mine.path("/build"), {})).status).toBe(200);
  const early = await mine.server.api("POST", mine.path("/bench"), {});
  expect([early.status, early.json.error.message]).toEqual([409, "mine is being built right now"]);
  expect((await mine.server.api("DELETE", mine.path("/build"))).json).toEqual({ cancelled: true });
  await mine.tab.next("build", ({ status }) => status.phase === "cancelled");
  await mine.draw({ endlessBench: true });
  await until("the build's place is free", async () => {
    return (await mine.server.api("POST", mine.path("/bench"), {})).status === 200;
  });
  const late = await mine.server.api("POST", mine.path("/build"), {});
  expect([late.status, late.json.error.message]).toEqual([409, "mine is being measured right now"]);
  expect((await mine.server.api("POST", mine.path("/run"), {})).status).toBe(409);
});

test("should end a measurement that is cancelled, with everything it had started", async () => {
  await mine.draw({ endlessBench: true });
  await mine.server.api("POST", mine.path("/bench"), {});
  await mine.tab.next("bench", ({ status }) => status.phase === "measuring" && status.current === "GetAd");
  await until("it measures", () => measuring().length > 0);
  expect((await mine.server.api("DELETE", mine.path("/bench"))).json).toEqual({ cancelled: true });
  // Killed they are; the kernel takes them away when it comes to it.
  await until("nothing is left", () => measuring().length === 0);
  expect((await mine.tab.next("bench", ({ status }) => status.phase === "cancelled")).status.results).toEqual(
    [],
  );
  expect((await mine.server.api("DELETE", mine.path("/bench"))).json).toEqual({ cancelled: false });
});

test("should refuse a service that is no name, and say when it has no benchmark", async () => {
  await mine.draw({});
  expect((await mine.server.api("POST", mine.path("/bench"), { service: "../x" })).status).toBe(400);
  await mine.server.api("POST", mine.path("/bench"), { service: "LogAd" });
  const { status } = await mine.tab.next("bench", ({ status: one }) => one.phase === "failed");
  expect(status.problems).toMatchObject([{ code: "PS883", message: "There is no benchmark of LogAd" }]);
});
