import { parseTopology, printTopology, type Topology } from "../../src/model/topology/index.js";
import { checkRunnable, validateTopology } from "../../src/model/validate/index.js";

/**
 * How long it takes to read, check and print a large topology: `npx tsx codegen/tools/times/validate.ts
 * [SERVICES=2000] [CALLS=4000]`. Prints JSON: milliseconds of each round, the first one cold; `broken`
 * is the same topology with as many faults as services.
 */
const services = Number(process.argv[2] ?? 2000);
const calls = Number(process.argv[3] ?? 2 * services);
const ROUNDS = 15;

/** Layered calls (no cycle), twenty services a bundle, everything in one binary, flows over each bundle. */
function large(): string {
  const names = Array.from({ length: services }, (_, at) => `Service${at}`);
  const perService = Math.ceil(calls / services);
  const bundles = Array.from({ length: Math.ceil(services / 20) }, (_, at) => ({
    name: `Bundle${at}`,
    services: names.slice(20 * at, 20 * at + 20),
    flows: [`Flow${at}`],
  }));
  return JSON.stringify({
    penstock: 1,
    name: "large",
    messages: names.map((_, at) => ({
      name: `Message${at}`,
      fields: [
        { name: "id", type: "uint64", tag: 1 },
        { name: "previous", type: `Message${Math.max(0, at - 1)}`, tag: 2, optional: true },
        { name: "texts", type: "string", tag: 3, repeated: true },
      ],
    })),
    services: names.map((name, at) => ({
      name,
      request: "Message0",
      response: "Message0",
      kind: at % 3 === 0 ? "async-remote" : "simple",
      calls: Array.from({ length: perService }, (_, call) => names[at + 1 + call * 7]).filter(
        (callee) => callee !== undefined,
      ),
    })),
    flows: bundles.map(({ flows: [name], services: own }) => ({
      name,
      event: "Message0",
      source: { kind: "rate", perSecond: 1 },
      stages: own.slice(0, 5).map((service, at) => ({ id: `stage${at}`, service })),
    })),
    bundles,
    binaries: [
      {
        name: "everything",
        bundles: bundles.map(({ name }) => name),
        pools: [{ name: "work", threads: [{}, {}] }],
        placement: Object.fromEntries(names.map((name) => [name, { pool: "work" }])),
      },
    ],
  });
}

function time<T>(work: () => T): { result: T; milliseconds: number[] } {
  const milliseconds: number[] = [];
  let result: T | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    result = work();
    milliseconds.push(performance.now() - start);
  }
  return { result: result as T, milliseconds };
}

const text = large();
const parsed = time(() => parseTopology(text));
const { topology, problems } = parsed.result;
if (topology === undefined) throw new Error(JSON.stringify(problems[0]));
const checked = time(() => [...validateTopology(topology), ...checkRunnable(topology)]);
if (checked.result.some(({ severity }) => severity === "error"))
  throw new Error(JSON.stringify(checked.result[0]));
const printed = time(() => printTopology(topology));
// One cycle through everything, and a call of each service to one that is not there.
const ring: Topology = {
  ...topology,
  services: topology.services.map((service, at) => ({
    ...service,
    kind: "single-threaded",
    calls: [...service.calls, `Service${(at + 1) % services}`, `Gone${at}`],
  })),
};
const broken = time(() => validateTopology(ring));
console.log(
  JSON.stringify({
    parse: parsed.milliseconds,
    validate: checked.milliseconds,
    print: printed.milliseconds,
    broken: broken.milliseconds,
  }),
);
