import { expect, test } from "vitest";
import type { BinaryStatus } from "../../contract/index.js";
import { statusOf } from "./statusOf.js";

const of = (...states: [BinaryStatus["state"], string?][]): BinaryStatus =>
  statusOf(
    states.map(([state, detail = ""], at) => ({
      name: at === 0 ? "app" : `app.${at + 1}`,
      status: {
        ...{ binary: "app", state, detail, pid: 70 + at, control: `127.0.0.1:${at}`, http: null },
        ...{ startedAtMs: at, restarts: at, topologyHash: "sha256:1" },
      },
    })),
  );

test("one process has its own state, and none of others", () => {
  expect(of(["crashed", "crashed (SIGKILL)"])).not.toHaveProperty("processes");
  expect(of(["crashed", "crashed (SIGKILL)"])).toMatchObject({
    state: "crashed",
    detail: "crashed (SIGKILL)",
  });
});

test.each([
  [[["running"], ["running"]], "running", ""],
  [[["running"], ["starting"]], "starting", "1 of 2 starting"],
  [[["running"], ["crashed", "crashed (SIGKILL)"]], "crashed", "1 of 2 crashed (SIGKILL)"],
  [
    [["unresponsive", "no answer for more than 2 s"], ["running"]],
    "unresponsive",
    "1 of 2 unresponsive: no answer for more than 2 s",
  ],
  [[["running"], ["failed", "failed: 3 crashes"], ["running"]], "running", "1 of 3 failed: 3 crashes"],
  [
    [
      ["failed", "no address"],
      ["failed", "no address"],
    ],
    "failed",
    "no address",
  ],
  [[["stopped"], ["stopped"]], "stopped", ""],
  [[["running"], ["lost", "no answer at 127.0.0.1:9901"]], "running", "1 of 2 running"],
  [[["stopped"], ["lost", "no answer"]], "lost", "1 of 2 lost: no answer"],
] as [[BinaryStatus["state"], string?][], string, string][])("of %j it is %s", (states, state, detail) => {
  expect(of(...states)).toMatchObject({ state, detail });
});

test("all of them are told by their names, and their restarts together", () => {
  const status = of(["starting"], ["running"], ["running"]);
  expect(status.processes?.map(({ name, pid }) => [name, pid])).toEqual([
    ["app", 70],
    ["app.2", 71],
    ["app.3", 72],
  ]);
  expect(status).toMatchObject({ restarts: 3, pid: 71 });
});

test("one that is attached is told as such, though it is alone", () => {
  const { processes: _, ...status } = of(["lost", "no answer at 127.0.0.1:9901"]);
  expect(statusOf([{ name: "app@9901", status, attached: true }])).toMatchObject({
    state: "lost",
    detail: "no answer at 127.0.0.1:9901",
    processes: [{ name: "app@9901", state: "lost", attached: true }],
  });
});
