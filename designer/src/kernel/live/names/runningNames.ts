import type { LiveSchema } from "@penstock/codegen/contract";
import { isOwnPool } from "@penstock/codegen/arrange";
import { parseNodeRef } from "@penstock/codegen/topology";
import { followed, takenBack, type NameChange } from "../../document/nameChange.js";

const last = (ref: string): string => parseNodeRef(ref)?.path.at(-1) ?? "";

/** A binary's name after the renames. */
export const binaryAfter = (binary: string, changes: readonly NameChange[]): string =>
  last(followed(`binary:${binary}`, changes));

/** A pool's name after the renames; that of a join's own threads is made of its flow and stage. */
function poolAfter(binary: string, pool: string, changes: readonly NameChange[]): string {
  if (!isOwnPool(pool)) return last(followed(`pool:${binary}/${pool}`, changes));
  const dot = pool.indexOf(".");
  const stage = followed(`stage:${pool.slice(0, dot)}/${pool.slice(dot + 1)}`, changes);
  return parseNodeRef(stage)?.path.join(".") ?? pool;
}

/** A name that nothing drawn can have, for what runs under a name that something else is drawn by now. */
const undrawn = (name: string): string => `${name} (running)`;

/** The names as drawn; where a renamed one has taken the name of another, that one is drawn no more. */
function drawnNames(names: readonly string[], drawn: (name: string) => string): string[] {
  const after = names.map(drawn);
  return after.map((name, index) =>
    name === names[index] && after.some((other, at) => other === name && at !== index) ? undrawn(name) : name,
  );
}

/** What a binary says of itself, by the names that its things are drawn by since these renames. */
export function inDrawnNames(schema: LiveSchema, changes: readonly NameChange[]): LiveSchema {
  if (changes.length === 0) return schema;
  const of = (kind: string) => (name: string) => last(followed(`${kind}:${name}`, changes));
  const services = drawnNames(
    schema.services.map(({ name }) => name),
    of("service"),
  );
  const flows = drawnNames(
    schema.flows.map(({ name }) => name),
    of("flow"),
  );
  const pools = drawnNames(
    schema.pools.map(({ name }) => name),
    (name) => poolAfter(schema.binary, name, changes),
  );
  return {
    ...schema,
    services: schema.services.map((one, index) => ({ ...one, name: services[index] ?? one.name })),
    ...(schema.remotes && {
      remotes: schema.remotes.map((one) => ({ ...one, name: of("service")(one.name) })),
    }),
    ...(schema.links && {
      links: schema.links.map((one) => ({ ...one, binary: binaryAfter(one.binary, changes) })),
    }),
    flows: schema.flows.map((flow, index) => ({
      ...flow,
      name: flows[index] ?? flow.name,
      stages: flow.stages.map((stage) => ({
        ...stage,
        id: last(followed(`stage:${flow.name}/${stage.id}`, changes)),
      })),
    })),
    pools: schema.pools.map((pool, index) => ({ ...pool, name: pools[index] ?? pool.name })),
    ...(schema.rules && {
      rules: schema.rules.map((rule) => {
        const flow = schema.flows.findIndex(({ name }) => name === rule.of);
        const service = schema.services.findIndex(({ name }) => name === rule.of);
        return { ...rule, of: flows[flow] ?? services[service] ?? rule.of };
      }),
    }),
  };
}

/** The name of what a rule watches: flows and services share one space of names. */
function watchedAfter(name: string, changes: readonly NameChange[]): string {
  const flow = last(followed(`flow:${name}`, changes));
  return flow === name ? last(followed(`service:${name}`, changes)) : flow;
}

/** The parameters of a question by the names that the running binary knows. */
export function inRunningNames<P extends object>(
  binary: string,
  params: P,
  changes: readonly NameChange[],
): P {
  if (changes.length === 0) return params;
  const back = takenBack(changes);
  const asked: Partial<Record<"pool" | "flow" | "stage" | "service" | "join" | "rule", unknown>> = params;
  const pool = (name: string): string => poolAfter(binary, name, back);
  const flow = typeof asked.flow === "string" ? last(followed(`flow:${asked.flow}`, back)) : undefined;
  return {
    ...params,
    ...(typeof asked.pool === "string" ? { pool: pool(asked.pool) } : {}),
    ...(flow === undefined ? {} : { flow }),
    ...(typeof asked.service === "string"
      ? { service: last(followed(`service:${asked.service}`, back)) }
      : {}),
    ...(typeof asked.rule === "string" ? { rule: watchedAfter(asked.rule, back) } : {}),
    ...(typeof asked.stage === "string"
      ? { stage: last(followed(`stage:${String(asked.flow)}/${asked.stage}`, back)) }
      : {}),
    ...(isPoolJoin(asked.join) ? { join: { ...asked.join, pool: pool(asked.join.pool) } } : {}),
  };
}

const isPoolJoin = (join: unknown): join is { pool: string } =>
  typeof join === "object" && join !== null && "pool" in join && typeof join.pool === "string";
