import type { Sketch } from "./project.js";

/**
 * A drawing of `count` services in `bundles` bundles: each asks the next one of its bundle, a flow
 * in each bundle drives the first; kinds in turn. One binary serves them all.
 */
export function manyServices(count: number, bundles: number): Sketch {
  const perBundle = count / bundles;
  const name = (index: number): string => `Service${index}`;
  const kinds = ["simple", "async-remote", "single-threaded"] as const;
  const indices = Array.from({ length: count }, (_, index) => index);
  const bundleIndices = Array.from({ length: bundles }, (_, index) => index);
  return {
    penstock: 1,
    name: "many",
    messages: indices.map((index) => ({
      name: `Message${index}`,
      fields: [
        { name: "number", type: "int64", tag: 1 },
        { name: "texts", type: "string", tag: 2, repeated: true },
      ],
    })),
    services: indices.map((index) => ({
      name: name(index),
      doc: `Number ${index}`,
      request: `Message${index}`,
      response: `Message${index}`,
      kind: kinds[index % kinds.length]!,
      calls: index % perBundle === perBundle - 1 ? [] : [name(index + 1)],
    })),
    flows: bundleIndices.map((bundle) => ({
      name: `Flow${bundle}`,
      event: `Message${bundle * perBundle}`,
      source: { kind: "rate" as const, perSecond: 5 },
      stages: [{ id: "first", service: name(bundle * perBundle) }],
    })),
    bundles: bundleIndices.map((bundle) => ({
      name: `Bundle${bundle}`,
      services: indices.filter((index) => Math.floor(index / perBundle) === bundle).map(name),
      flows: [`Flow${bundle}`],
    })),
    binaries: [
      {
        name: "many-server",
        bundles: bundleIndices.map((bundle) => `Bundle${bundle}`),
        pools: [{ name: "work", threads: [{}, {}] }],
        placement: Object.fromEntries(indices.map((index) => [name(index), { pool: "work" }])),
      },
    ],
  };
}
