import { topologySchema, type Topology } from "@penstock/codegen/topology";
import { expect, it } from "vitest";
import { toCanvasNodes } from "../../drawing/toCanvasNodes.js";

/** How often an entry of any list below is read, by what the list is called. */
function counted<T extends object>(of: T, reads: Map<string, number>, name = ""): T {
  return new Proxy(of, {
    get: (target, key, receiver) => {
      const value: unknown = Reflect.get(target, key, receiver);
      if (Array.isArray(target) && typeof key === "string" && /^\d+$/.test(key))
        reads.set(name, (reads.get(name) ?? 0) + 1);
      return typeof value === "object" && value !== null ? wrapped(value, String(key)) : value;
    },
  });
  function wrapped(value: object, key: string): object {
    let known = proxies.get(value);
    if (!known) proxies.set(value, (known = counted(value, reads, /^\d+$/.test(key) ? name : key)));
    return known;
  }
}
const proxies = new WeakMap<object, object>();

/** `count` services, all in one bundle of one binary. */
const drawing = (count: number): Topology => {
  const names = Array.from({ length: count }, (_, index) => `Service${index}`);
  return topologySchema.parse({
    penstock: 1,
    name: "many",
    messages: [{ name: "Ping", fields: [] }],
    services: names.map((name) => ({ name, request: "Ping", response: "Ping" })),
    bundles: [{ name: "All", services: names }],
    binaries: [{ name: "many", bundles: ["All"] }],
  });
};

const readsFor = (count: number): number => {
  const reads = new Map<string, number>();
  toCanvasNodes(counted(drawing(count), reads), { penstock: 1, nodes: {} }, []);
  return Math.max(...reads.values());
};

it("reads the lists of a drawing no oftener for each of many nodes than for each of a few", () => {
  const [few, many] = [readsFor(50), readsFor(500)];
  expect(many / few).toBeLessThan(11);
});
