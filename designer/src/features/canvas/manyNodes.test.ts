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

/** `count` services, all in one bundle of one binary, or one half in another of another. */
const drawing = (count: number, inTwo: boolean): Topology => {
  const names = Array.from({ length: count }, (_, index) => `Service${index}`);
  return topologySchema.parse({
    penstock: 1,
    name: "many",
    messages: [{ name: "Ping", fields: [] }],
    services: names.map((name) => ({ name, request: "Ping", response: "Ping" })),
    bundles: [
      { name: "All", services: inTwo ? names.slice(count / 2) : names },
      ...(inTwo ? [{ name: "Half", services: names.slice(0, count / 2) }] : []),
    ],
    binaries: [{ name: "many", bundles: ["All"] }, ...(inTwo ? [{ name: "half", bundles: ["Half"] }] : [])],
  });
};

const readsFor = (count: number, inTwo: boolean): number => {
  const reads = new Map<string, number>();
  toCanvasNodes(counted(drawing(count, inTwo), reads), { penstock: 1, nodes: {} }, []);
  return Math.max(...reads.values());
};

it.each([
  ["in one binary", false],
  ["in frames of two", true],
])("reads the lists of a drawing %s no oftener for each of many nodes than for each of a few", (_, inTwo) => {
  const [few, many] = [readsFor(50, inTwo), readsFor(500, inTwo)];
  expect(many / few).toBeLessThan(11);
});
