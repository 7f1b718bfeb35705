import { expect, test } from "vitest";
import { topologySchema, type Topology } from "../topology/index.js";
import { runRules } from "./rule/rule.js";
import { presetRulesAreSound } from "./rules/pools/presetRulesAreSound.js";

const found = (topology: Topology) => runRules([presetRulesAreSound], topology);

/** A binary with as many flows that block as presets that leave them on one thread, and a rule between each two. */
const narrowed = (count: number): Topology => {
  const flows = Array.from({ length: count }, (_, at) => `F${at}`);
  return topologySchema.parse({
    penstock: 1,
    name: "narrowed",
    services: [{ name: "Waits", kind: "sync-remote", request: "Ad" }],
    flows: flows.map((name) => ({
      name,
      event: "Ad",
      source: { kind: "rate", perSecond: 1 },
      stages: [{ id: "waits", role: "side-effect", service: "Waits", join: { pool: "p" } }],
    })),
    bundles: [{ name: "All", services: ["Waits"], flows }],
    binaries: [
      {
        name: "server",
        bundles: ["All"],
        pools: [{ name: "p", threads: 2 }],
        // The last flow alone is left on one thread.
        presets: flows.map((_, at) => ({
          name: `P${at}`,
          pools: [{ name: "p", threads: 1 }],
          joins: flows
            .slice(0, at === 0 ? -1 : 0)
            .map((flow) => ({ flow, stage: "waits", join: { threads: 2 } })),
        })),
        rules: flows.slice(1).map((of, at) => ({
          of,
          below: { perSecond: 1, preset: `P${at}` },
          above: { perSecond: 2, preset: `P${at + 1}` },
        })),
      },
    ],
  });
};

test("should look through all flows for the stage that a preset leaves on one thread", () => {
  const [first] = found(narrowed(5)).filter(({ code }) => code === "PS527");
  expect(first?.message).toContain('the sync-remote stage "waits" of "F4" would run on one thread');
});

test("should leave what nobody drew by hand to the binary, rather than stand still over it", () => {
  const count = 1000;
  const reported = found(narrowed(count)).filter(({ code }) => code === "PS527").length;
  expect(reported).toBeGreaterThan(100);
  // One more for each side of a rule but the first and the last, if all presets had been looked at.
  expect(reported).toBeLessThan(2 * (count - 1));
});

test("should know what a third rule shares with the second, whatever that shares with the first", () => {
  const one = narrowed(4);
  const [server] = one.binaries;
  const pools = (...names: string[]) => names.map((name) => ({ name, threads: [{}, {}] }));
  Object.assign(server!, {
    pools: pools("a", "b").map((pool) => ({ ...server!.pools[0]!, ...pool })),
    presets: [
      { name: "P0", pools: pools("a"), joins: [] },
      { name: "P1", pools: pools("a", "b"), joins: [] },
      { name: "P2", pools: pools("b"), joins: [] },
      { name: "P3", pools: [], joins: [] },
    ],
    rules: [0, 1, 2].map((at) => ({
      of: `F${at}`,
      below: { perSecond: 1, preset: "P3" },
      above: { perSecond: 2, preset: `P${at}` },
      forSeconds: 5,
    })),
  });
  const shared = found(one).flatMap(({ code, pointer }) => (code === "PS528" ? [pointer] : []));
  expect(shared).toEqual(["/binaries/0/rules/1/above/preset", "/binaries/0/rules/2/above/preset"]);
});
