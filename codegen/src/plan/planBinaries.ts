import {
  isThreadRange,
  nodeRef,
  threadList,
  type Binary,
  type Join,
  type Placement,
  type PresetRule,
  type Service,
  type Threads,
  type Topology,
} from "../model/topology/index.js";
import type {
  BinaryConfiguration,
  BinaryPlan,
  FlowPlan,
  JoinConfiguration,
  RuleSideConfiguration,
  ServiceConfiguration,
  ServicePlan,
} from "./projectPlan.js";

/** Sampled calls in 128 that a binary starts with. */
const SAMPLING_PER_128 = 3;
/** The pool that every binary has, drawn or not. */
const DEFAULT_POOL = "default";

interface Drawn {
  topology: Topology;
  topologyHash: string;
  services: readonly ServicePlan[];
  flows: readonly FlowPlan[];
}

/** One executable each: what it serves, and the configuration it starts with. */
export function planBinaries(drawn: Drawn): BinaryPlan[] {
  return drawn.topology.binaries.map((binary): BinaryPlan => {
    const { services, flows } = servedBy(binary, drawn);
    const served = new Set(services.map((service) => service.name));
    const file = binary.name.replaceAll("-", "_");
    return {
      name: binary.name,
      doc: binary.doc ?? "",
      node: nodeRef("binary", binary.name),
      source: `binaries/${file}.cpp`,
      config: `config/${binary.name}.json`,
      services,
      calls: services.flatMap((service) =>
        service.calls
          .filter((call) => served.has(call.callee))
          .flatMap((call) =>
            service.handlers.map((handler) => ({
              caller: service.name,
              callerType: `::${drawn.topology.name}::${handler.cppName}`,
              callee: call.callee,
            })),
          ),
      ),
      inlets: planInlets(services, new Set(flows.map((flow) => flow.name)), drawn.topology.name),
      flows,
      includes: [
        ...services.map((s) => s.header),
        ...flows.filter((f) => f.isGenerated).map((f) => f.header),
        ...new Set(flows.flatMap((f) => (f.own === undefined ? [] : [f.own.header, `../${f.own.source}`]))),
      ].sort(compareText),
      configuration: configure(binary, services, flows, drawn),
      controlPort: Number(/:(\d+)$/.exec(binary.control)?.[1] ?? 0),
    };
  });
}

/** A flow that another binary serves is out of reach here: pushing into it says so. */
const planInlets = (
  services: readonly ServicePlan[],
  served: ReadonlySet<string>,
  project: string,
): BinaryPlan["inlets"] =>
  services.flatMap((service) =>
    service.inlets
      .filter((inlet) => served.has(inlet.flow))
      .flatMap((inlet) =>
        service.handlers.map((handler) => ({
          service: service.name,
          handlerType: `::${project}::${handler.cppName}`,
          flow: inlet.flow,
        })),
      ),
  );

/** By code unit, so that the order is the same in any locale. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The services of its bundles and of the stages of its flows, in the order of the drawing. */
function servedBy(binary: Binary, drawn: Drawn): { services: ServicePlan[]; flows: FlowPlan[] } {
  const bundles = drawn.topology.bundles.filter((bundle) => binary.bundles.includes(bundle.name));
  const flowNames = new Set(bundles.flatMap((bundle) => bundle.flows));
  const flows = drawn.flows.filter((flow) => flowNames.has(flow.name));
  const serviceNames = new Set(bundles.flatMap((bundle) => bundle.services));
  return { services: drawn.services.filter((service) => serviceNames.has(service.name)), flows };
}

function configure(
  binary: Binary,
  services: readonly ServicePlan[],
  flows: readonly FlowPlan[],
  drawn: Drawn,
): BinaryConfiguration {
  const drawnServices = new Map(drawn.topology.services.map((service) => [service.name, service]));
  const drawnFlows = new Map(drawn.topology.flows.map((flow) => [flow.name, flow]));
  const poolOf = (service: string): string => binary.placement[service]?.pool ?? DEFAULT_POOL;
  return {
    penstock: 1,
    binary: binary.name,
    topologyHash: drawn.topologyHash,
    control: binary.control,
    ...(binary.http !== undefined && { http: binary.http }),
    sampling: SAMPLING_PER_128,
    ...(binary.watchdogMs !== undefined && { watchdogMs: binary.watchdogMs }),
    pools: binary.pools.map((pool) => ({
      name: pool.name,
      threads: configureThreads(pool.threads),
      idle: pool.idle,
      priority: pool.priority,
      queue: pool.queue,
      overflow: pool.overflow,
      ...(isThreadRange(pool.threads) ? { upTo: pool.threads.to } : {}),
    })),
    services: record(
      services.map(({ name }) => [
        name,
        configureService(drawnServices.get(name)!, binary.placement[name], poolOf(name)),
      ]),
    ),
    flows: record(
      flows.map((flow) => [
        flow.name,
        {
          source: flow.setting,
          joins: record(
            flow.stages.flatMap((stage, index): [string, JoinConfiguration][] => {
              const join = drawnFlows.get(flow.name)?.stages[index]?.join;
              if (join !== undefined) return [[stage.id, configureJoin(join)]];
              // The first stage has a thread of its own to go to: the pool of its service.
              return index === 0 ? [[stage.id, poolOf(stage.service)]] : [];
            }),
          ),
        },
      ]),
    ),
    ...(binary.rules?.length
      ? { rules: binary.rules.map((rule) => configureRule(rule, binary, flows)) }
      : {}),
  };
}

const configureThreads = (threads: Threads): { cpus?: number[] }[] =>
  threadList(threads).map((thread) => (thread.cpus?.length ? { cpus: thread.cpus } : {}));
const configureJoin = (join: Join): JoinConfiguration => ("pool" in join ? join.pool : join);

/** A rule with its presets; what those name and the binary does not have is left out, as when they are applied. */
function configureRule(
  { of, below, above, forSeconds }: PresetRule,
  binary: Binary,
  flows: readonly FlowPlan[],
): NonNullable<BinaryConfiguration["rules"]>[number] {
  const hasPool = (name: string): boolean =>
    name === DEFAULT_POOL || binary.pools.some((pool) => pool.name === name);
  const hasStage = (flow: string, stage: string): boolean =>
    flows.some(({ name, stages }) => name === flow && stages.some(({ id }) => id === stage));
  const side = ({ perSecond, preset: name }: PresetRule["below"]): RuleSideConfiguration => {
    const preset = binary.presets?.find((one) => one.name === name);
    return {
      perSecond,
      preset: name,
      pools: (preset?.pools ?? [])
        .filter((pool) => hasPool(pool.name))
        .map((pool) => ({ name: pool.name, threads: configureThreads(pool.threads) })),
      joins: (preset?.joins ?? [])
        .filter(({ flow, stage, join }) => {
          if (!hasStage(flow, stage)) return false;
          return join === undefined || !("pool" in join) || hasPool(join.pool);
        })
        .map(({ flow, stage, join }) => ({
          flow,
          stage,
          ...(join === undefined ? {} : { join: configureJoin(join) }),
        })),
    };
  };
  return { of, below: side(below), above: side(above), forSeconds };
}

function configureService(
  service: Service,
  placement: Placement | undefined,
  pool: string,
): ServiceConfiguration {
  return {
    pool,
    ...(placement?.thread === undefined ? {} : { thread: placement.thread }),
    ...(service.deadlineMs === undefined ? {} : { deadlineMs: service.deadlineMs }),
    ...(service.implementations.length === 0 ? {} : { weights: weigh(service, placement) }),
  };
}

/** A name picks one; weights as drawn, 0 for those left out; nothing said: equal shares. */
function weigh(service: Service, placement: Placement | undefined): Record<string, number> {
  const drawn = placement?.implementation;
  return record(
    service.implementations.map((name) => {
      if (drawn === undefined) return [name, 1];
      if (typeof drawn === "string") return [name, drawn === name ? 1 : 0];
      return [name, Object.hasOwn(drawn, name) ? drawn[name]! : 0];
    }),
  );
}

/** A map without a prototype: keys are the user's names. */
function record<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const result = Object.create(null) as Record<string, T>;
  for (const [key, value] of entries) result[key] = value;
  return result;
}
