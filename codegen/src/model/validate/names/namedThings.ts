import type { Topology } from "../../topology/index.js";
import type { Place } from "../rule/rule.js";
import type { NameKind } from "./patterns.js";

/** A name in the document: `list[at]`, or the `inner`th thing of its list `innerList`. */
export interface NamedThing {
  kind: NameKind;
  name: string;
  list: "name" | "messages" | "enums" | "services" | "flows" | "bundles" | "binaries";
  at: number;
  innerList?: "fields" | "values" | "implementations" | "stages" | "pools" | "presets";
  inner?: number;
}

/** Where the name stands. Worked out only when there is something to say about it. */
export function placeOf({ list, at, innerList, inner }: NamedThing): Place {
  if (list === "name") return ["name"];
  if (innerList === undefined || inner === undefined) return [list, at, "name"];
  if (innerList === "implementations") return [list, at, innerList, inner];
  return [list, at, innerList, inner, innerList === "stages" ? "id" : "name"];
}

/** The names that must differ among each other, list by list in document order; every name is in one list. */
export function* nameScopes(topology: Topology): Generator<NamedThing[]> {
  yield [{ kind: "project", name: topology.name, list: "name", at: 0 }];
  const { messages, enums, services, flows, bundles, binaries } = topology;
  yield [
    ...messages.map(({ name }, at): NamedThing => ({ kind: "message", name, list: "messages", at })),
    ...enums.map(({ name }, at): NamedThing => ({ kind: "enum", name, list: "enums", at })),
    ...services.map(({ name }, at): NamedThing => ({ kind: "service", name, list: "services", at })),
    ...flows.map(({ name }, at): NamedThing => ({ kind: "flow", name, list: "flows", at })),
  ];
  for (const [at, { fields }] of messages.entries())
    yield fields.map(({ name }, inner) => ({
      kind: "field",
      name,
      list: "messages",
      at,
      innerList: "fields",
      inner,
    }));
  for (const [at, { values }] of enums.entries())
    yield values.map(({ name }, inner) => ({
      kind: "enum value",
      name,
      list: "enums",
      at,
      innerList: "values",
      inner,
    }));
  for (const [at, { implementations }] of services.entries())
    yield implementations.map((name, inner) => ({
      kind: "implementation",
      name,
      list: "services",
      at,
      innerList: "implementations",
      inner,
    }));
  for (const [at, { stages }] of flows.entries())
    yield stages.map(({ id: name }, inner) => ({
      kind: "stage",
      name,
      list: "flows",
      at,
      innerList: "stages",
      inner,
    }));
  yield bundles.map(({ name }, at) => ({ kind: "bundle", name, list: "bundles", at }));
  yield binaries.map(({ name }, at) => ({ kind: "binary", name, list: "binaries", at }));
  for (const [at, { pools }] of binaries.entries())
    yield pools.map(({ name }, inner) => ({
      kind: "pool",
      name,
      list: "binaries",
      at,
      innerList: "pools",
      inner,
    }));
  for (const [at, { presets }] of binaries.entries())
    yield (presets ?? []).map(({ name }, inner) => ({
      kind: "preset",
      name,
      list: "binaries",
      at,
      innerList: "presets",
      inner,
    }));
}
