import { describe, expect, test } from "vitest";
import type { Flow, Stage } from "../model/topology/index.js";
import { MOST_COMPOSED, planCompositions } from "./planCompositions.js";
import type { ServicePlan, StagePlan } from "./projectPlan.js";

const plainService = {
  kind: "simple",
  isCoroutine: false,
  handlers: [{}],
  partitionField: "",
  deadlineMs: 0,
} as unknown as ServicePlan;

interface Drawn {
  role?: string;
  join?: Stage["join"];
  service?: Partial<ServicePlan>;
  plan?: Partial<StagePlan>;
}

/** The chains of stages `a`, `b`, ... that are all plain but for what is said. */
function chainsOf(drawn: readonly Drawn[]): string[][] {
  const ids = drawn.map((_, at) => String.fromCodePoint("a".codePointAt(0)! + at));
  const stages = drawn.map(
    ({ role = "map", plan }, at) =>
      ({ id: ids[at], service: ids[at], role, handlerTypes: [ids[at]], after: [], ...plan }) as StagePlan,
  );
  const flow = { stages: drawn.map(({ join }) => ({ join })) } as unknown as Flow;
  const services = new Map(drawn.map(({ service }, at) => [ids[at]!, { ...plainService, ...service }]));
  return planCompositions(flow, stages, services).map((composition) => [
    composition.first,
    ...composition.stages,
  ]);
}

describe("what is one function", () => {
  test("is all that follows each other", () => {
    expect(chainsOf([{}, {}, { role: "side-effect" }])).toEqual([
      ["a", "::penstock::Map<a>", "::penstock::Map<b>", "::penstock::SideEffect<c>"],
    ]);
  });

  test("is nothing of a stage alone", () => {
    expect(chainsOf([{}])).toEqual([]);
  });

  test("begins anew at a join", () => {
    const join = { pool: "io" } as Stage["join"];
    expect(chainsOf([{ join }, {}, { join }, {}, {}]).map((chain) => chain.length - 1)).toEqual([2, 3]);
  });

  test.each<[string, Drawn]>([
    ["a catch", { role: "catch" }],
    ["a coroutine", { service: { isCoroutine: true } }],
    ["several implementations", { service: { handlers: [{}, {}] as ServicePlan["handlers"] } }],
    ["partitions", { service: { partitionField: "user" } }],
    ["a deadline", { service: { deadlineMs: 5 } }],
    ["a handler that blocks", { service: { kind: "sync-remote" } }],
  ])("ends before %s", (_, other) => {
    expect(chainsOf([{}, {}, other, {}, {}]).map(([first]) => first)).toEqual(["a", "d"]);
  });

  test("ends at a branch and at a fan-out", () => {
    const when = { member: "M::field", values: ["M::A"] };
    expect(chainsOf([{}, {}, { plan: { when } }, { plan: { after: ["b"] } }, {}])).toEqual([
      ["a", "::penstock::Map<a>", "::penstock::Map<b>"],
      ["d", "::penstock::Map<d>", "::penstock::Map<e>"],
    ]);
    expect(chainsOf([{}, {}, { plan: { after: ["a"] } }])).toEqual([]);
  });

  test("is as long as the runtime takes at once", () => {
    const lengths = chainsOf(Array.from({ length: MOST_COMPOSED + 2 }, () => ({}))).map(
      (chain) => chain.length - 1,
    );
    expect(lengths).toEqual([MOST_COMPOSED, 2]);
  });
});
