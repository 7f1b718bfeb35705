import {
  ENCODINGS,
  IDLE_POLICIES,
  KEY_TYPES,
  OVERFLOW_POLICIES,
  SCALAR_TYPES,
  SERVICE_KINDS,
  STAGE_ROLES,
  topologySchema,
  type Topology,
} from "../schema/schema.js";
import type { Random } from "./random.js";

const TEXTS = [
  "",
  "plain",
  '*/ " \\ ??/',
  "line\nbreak\ttab",
  "größe €",
  "שלום",
  "😀\u202e",
  "a".repeat(120),
  "\u0001\u007f",
];

/**
 * A topology of the right shape and otherwise anything at all: names that refer to nothing, numbers out
 * of every range. For what must hold whatever the rules say, such as printing and reading again.
 */
export function randomTopology(random: Random): Topology {
  const text = (): string => random.pick(TEXTS);
  const name = (): string => random.pick(["A", "Bc", "default", "x_y", "Node", text()]);
  const number = (): number =>
    random.pick([0, 1, -1, 100, 1024, 2 ** 31, Number.MAX_SAFE_INTEGER, random.below(1000)]);
  const maybe = <T>(key: string, make: () => T): Record<string, T> =>
    random.chance(0.4) ? { [key]: make() } : {};
  const named = (): Record<string, unknown> => ({ name: name(), ...maybe("doc", text) });
  const field = (): object => ({
    ...named(),
    type: random.pick([...SCALAR_TYPES, "A"]),
    tag: number(),
    ...maybe("repeated", () => random.chance(0.5)),
    ...maybe("optional", () => random.chance(0.5)),
    ...maybe("length", number),
    ...maybe("encoding", () => random.pick(ENCODINGS)),
    ...maybe("packed", () => false),
    ...maybe("key", () => random.pick(KEY_TYPES)),
    ...maybe("oneof", name),
    ...maybe("jsonName", text),
  });
  const reserved = (): object => ({
    ...maybe("numbers", () => random.list(3, () => (random.chance(0.5) ? number() : [number(), number()]))),
    ...maybe("names", () => random.list(2, text)),
  });
  const join = (): object =>
    random.chance(0.5)
      ? { pool: name() }
      : {
          threads: random.pick(["cached", number()]),
          ...maybe("queue", number),
          ...maybe("overflow", () => random.pick(OVERFLOW_POLICIES)),
        };
  const source = (): object =>
    random.pick([
      { kind: "rate", perSecond: random.next() * 1000 },
      { kind: "http", path: text() },
      { kind: "file", path: text(), ...maybe("loop", () => random.chance(0.5)) },
      { kind: "service" },
    ]);
  const stage = (): object => ({
    id: name(),
    service: name(),
    ...maybe("role", () => random.pick(STAGE_ROLES)),
    ...maybe("join", join),
    ...maybe("after", () => random.list(2, name)),
    ...maybe("when", () => random.pick([name(), [name()], []])),
    ...maybe("doc", text),
  });
  const service = (): object => ({
    ...named(),
    request: name(),
    ...maybe("response", name),
    ...maybe("kind", () => random.pick(SERVICE_KINDS)),
    ...maybe("calls", () => random.list(4, name)),
    ...maybe("implementations", () => random.list(3, name)),
    ...maybe("deadlineMs", number),
    ...maybe("partitionBy", name),
    ...maybe("idempotent", () => random.chance(0.5)),
  });
  const threads = (): unknown =>
    random.chance(0.5)
      ? random.below(1025)
      : random.list(3, () => ({
          ...maybe("count", () => 1 + random.below(300)),
          ...maybe("cpus", () => random.list(3, number)),
        }));
  const poolThreads = (): unknown =>
    random.chance(0.3)
      ? { from: number(), to: number(), ...maybe("cpus", () => random.list(3, number)) }
      : threads();
  const pool = (): object => ({
    ...named(),
    ...maybe("threads", poolThreads),
    ...maybe("idle", () => random.pick(IDLE_POLICIES)),
    ...maybe("priority", () => random.pick([0, 5, -20])),
    ...maybe("queue", number),
    ...maybe("overflow", () => random.pick(OVERFLOW_POLICIES)),
    ...maybe("steal", () => random.chance(0.5)),
  });
  const placement = (): object => ({
    ...maybe("pool", name),
    ...maybe("thread", number),
    ...maybe("implementation", () =>
      random.chance(0.5) ? name() : Object.fromEntries(random.list(3, () => [name(), number()])),
    ),
  });
  const preset = (): object => ({
    ...named(),
    ...maybe("pools", () =>
      random.list(2, () => ({
        name: name(),
        ...maybe("threads", threads),
      })),
    ),
    ...maybe("joins", () =>
      random.list(3, () => ({ flow: name(), stage: name(), ...maybe("join", () => ({ pool: name() })) })),
    ),
  });
  const side = (): object => ({ perSecond: random.pick([0.5, 1000, number()]), preset: name() });
  const rule = (): object => ({
    of: name(),
    below: side(),
    above: side(),
    ...maybe("forSeconds", number),
    ...maybe("doc", text),
  });
  const binary = (): object => ({
    ...named(),
    ...maybe("bundles", () => random.list(2, name)),
    ...maybe("pools", () => random.list(3, pool)),
    ...maybe("placement", () => Object.fromEntries(random.list(3, () => [name(), placement()]))),
    ...maybe("presets", () => random.list(2, preset)),
    ...maybe("rules", () => random.list(2, rule)),
    ...maybe("listen", () => random.list(2, text)),
    ...maybe("discovery", text),
    ...maybe("http", () =>
      random.chance(0.5)
        ? text()
        : {
            address: text(),
            ...maybe("auth", () => (random.chance(0.5) ? "bearer" : "none")),
            ...maybe("tls", () => (random.chance(0.5) ? "keys" : { cert: text(), key: text() })),
            ...maybe("hosts", () => random.list(2, text)),
            ...maybe("accepted", text),
            ...maybe("prefix", text),
            ...maybe("origins", () => random.list(2, text)),
          },
    ),
    ...maybe("expose", () => random.list(2, name)),
    ...maybe("control", text),
    ...maybe("replicas", number),
    ...maybe("watchdogMs", number),
    ...maybe("liveness", () => ({
      ...maybe("pingMs", number),
      ...maybe("lostMs", number),
      ...maybe("hostLostMs", number),
    })),
  });
  return topologySchema.parse({
    penstock: 1,
    ...named(),
    messages: random.list(3, () => ({
      ...named(),
      fields: random.list(4, field),
      ...maybe("reserved", reserved),
    })),
    enums: random.list(2, () => ({
      ...named(),
      values: random.list(3, () => ({ ...named(), number: number(), ...maybe("protoName", text) })),
      ...maybe("reserved", reserved),
    })),
    services: random.list(5, service),
    flows: random.list(2, () => ({
      ...named(),
      event: name(),
      source: source(),
      stages: random.list(5, stage),
    })),
    bundles: random.list(2, () => ({
      ...named(),
      services: random.list(3, name),
      flows: random.list(2, name),
    })),
    binaries: random.list(2, binary),
  });
}
