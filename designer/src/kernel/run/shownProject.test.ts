import { emptyLayout, topologySchema } from "@penstock/codegen/topology";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { schemaOf, threadsOf } from "../../testing/schemaOf.js";
import { documentStore, showDocument } from "../document/index.js";
import { resetLive, takeSchema } from "../live/liveStore.js";
import { problemStore, setBuildProblems } from "../problems/problemStore.js";
import { ApiFailure } from "../server/api.js";
import { dismissToasts, toasts } from "../ui/toast.js";
import { applyLive } from "./runActions.js";
import { changeJoin } from "./changeJoin.js";
import { changeRate } from "./changeRate.js";
import { allowThreads, resizePool } from "./resizePool.js";
import { setPins } from "./setPins.js";

const asked: unknown[] = [];
let refusal: ApiFailure | undefined;
vi.mock("../connection/commands.js", () => ({
  sendCommand: async (binary: string, method: string, _params: unknown, project?: string | null) => {
    asked.push([binary, method, project]);
    resetLive();
    show("another");
    if (refusal) throw refusal;
    return { asked: 4, actual: 4 };
  },
}));

const topology = topologySchema.parse({
  penstock: 1,
  name: "shop",
  messages: [{ name: "A" }],
  services: ["S", "T"].map((name) => ({ name, request: "A", response: "A" })),
  flows: [
    {
      name: "F",
      event: "A",
      source: { kind: "rate", perSecond: 1 },
      stages: [
        { id: "s", service: "S" },
        { id: "t", service: "T", join: { pool: "p" } },
      ],
    },
  ],
  bundles: [{ name: "B", services: ["S", "T"], flows: ["F"] }],
  binaries: ["one", "two"].map((name) => ({
    name,
    bundles: ["B"],
    pools: [{ name: "p", threads: [{}, {}] }],
  })),
});

const show = (projectId: string): void =>
  showDocument({
    projectId,
    topology,
    layout: emptyLayout(),
    revision: "1",
    readOnly: false,
    readOnlyReason: "",
  });

beforeEach(() => {
  asked.length = 0;
  refusal = undefined;
  dismissToasts();
  setBuildProblems([]);
  resetLive();
  show("p");
  for (const binary of ["one", "two"]) {
    const stages = ["s", "t"].map((id, service) => ({ id, service, role: "map", pool: 0 }));
    const services = ["S", "T"].map((name, id) => ({
      id,
      name,
      kind: "simple",
      pool: 0,
      implementations: [],
    }));
    takeSchema(
      schemaOf({
        binary,
        services,
        flows: [{ id: 0, name: "F", source: { kind: "rate", perSecond: 1 }, stages }],
        pools: [
          { id: 0, name: "p", queue: 1, overflow: "block", idle: "park", priority: 0, threads: threadsOf(2) },
        ],
      }),
    );
  }
});

const pending = [5, 6].map((perSecond) => ({
  binary: "one",
  label: "",
  change: { of: "rate" as const, flow: "F", perSecond },
}));

describe("another project that is opened while a binary is asked", () => {
  it.each<[string, () => Promise<unknown>, string[][]]>([
    ["resizes a pool", () => resizePool("one", "p", 4), [["one", "pool.resize"]]],
    ["gives a pool bounds", () => allowThreads("one", "p", { from: 1, to: 4 }), [["one", "pool.adapt"]]],
    ["pins a thread", () => setPins("one", "p", 0, [1], true), [["one", "pool.pin"]]],
    [
      "takes a join out",
      () => changeJoin("F", "t", null),
      [
        ["one", "join.remove"],
        ["two", "join.remove"],
      ],
    ],
    [
      "sets a rate",
      () => changeRate("F", 9),
      [
        ["one", "source.set"],
        ["two", "source.set"],
      ],
    ],
    [
      "applies what is pending",
      () => applyLive(pending),
      [
        ["one", "source.set"],
        ["one", "source.set"],
      ],
    ],
  ])("is neither asked nor drawn by what %s", async (_, act, commands) => {
    await act();
    expect(asked).toEqual(commands.map((command) => [...command, "p"]));
    expect(documentStore.getState()).toMatchObject({ projectId: "another", topology, past: [] });
  });

  it("has no size of a pool that is not its own", async () => {
    expect(await resizePool("one", "p", 4)).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a pool", () => resizePool("one", "p", 4)],
    ["bounds of a pool", () => allowThreads("one", "p", { from: 1, to: 4 })],
    ["a pin", () => setPins("one", "p", 0, [1], true)],
    ["a rate", () => changeRate("F", 9)],
    ["what is pending", () => applyLive(pending)],
  ])("is not told that %s was refused", async (_, act) => {
    const problem = { code: "PS510", severity: "error" as const, message: "no CPU 1", pointer: "", help: "" };
    refusal = new ApiFailure(409, "refused", "no CPU 1", "the CPUs are 0 to 0", [problem], null);
    await act();
    expect(documentStore.getState().projectId).toBe("another");
    expect([toasts.getState().list, problemStore.getState().told]).toEqual([[], []]);
  });
});
