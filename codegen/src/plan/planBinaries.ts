import {
  announcedAt,
  asksForToken,
  DEFAULT_POOL,
  DEFAULT_PREFIX,
  httpOf,
  isHttps,
  isSecured,
  isThreadRange,
  nodeRef,
  peerAddressOf,
  routesOf,
  threadList,
  type Binary,
  type Flow,
  type Join,
  type Placement,
  type PresetRule,
  type Service,
  type Threads,
  type Topology,
} from "../model/topology/index.js";
import { MessageSchemas } from "./messageSchemas.js";
import { namedInMain, planParts } from "./planParts.js";
import type {
  BinaryConfiguration,
  BinaryPlan,
  FlowPlan,
  JoinConfiguration,
  OfferPlan,
  OutletPlan,
  RemotePlan,
  RuleSideConfiguration,
  ServiceConfiguration,
  ServicePlan,
} from "./projectPlan.js";

/** Sampled calls in 128 that a binary starts with. */
const SAMPLING_PER_128 = 3;

interface Drawn {
  topology: Topology;
  topologyHash: string;
  services: readonly ServicePlan[];
  flows: readonly FlowPlan[];
}

/** One executable each: what it serves, and the configuration it starts with. */
export function planBinaries(drawn: Drawn): BinaryPlan[] {
  const planned = drawn.topology.binaries.map((binary) => ({ binary, ...servedBy(binary, drawn) }));
  const remotes = planRemotes(planned, drawn);
  return planned.map(({ binary, services, flows }): BinaryPlan => {
    const away = remotes.get(binary.name) ?? [];
    const callable = new Set([...services, ...away.map(({ service }) => service)].map(({ name }) => name));
    const offers = offersOf(binary.name, remotes);
    const configuration = configure(binary, { services, flows, remotes: away, offers }, drawn);
    const addresses = [...(configuration.listen ?? []), ...Object.values(configuration.peers ?? {})];
    const exposed = planExposed(binary, services, drawn.topology);
    const file = binary.name.replaceAll("-", "_");
    const inlets = planInlets(services, new Set(flows.map((flow) => flow.name)), drawn.topology.name);
    const calls = planCalls(services, callable, drawn.topology.name);
    const registered = { services, calls, flows, offers, inlets };
    const parts = planParts(file, registered);
    return {
      name: binary.name,
      doc: binary.doc ?? "",
      node: nodeRef("binary", binary.name),
      source: `binaries/${file}.cpp`,
      config: `config/${binary.name}.json`,
      openApi:
        exposed.length === 0
          ? undefined
          : { document: `openapi/${binary.name}.json`, source: `openapi/${file}.cpp` },
      services,
      parts,
      remotes: away,
      offers,
      exposed,
      isSecured: addresses.some(isSecured),
      isHttps: isHttps(httpOf(binary) ?? {}),
      asksForToken: asksForToken(httpOf(binary) ?? {}),
      calls,
      inlets,
      flows,
      includes: [
        ...(away.length + offers.length + exposed.length > 0 ? ["messages_codec.hpp"] : []),
        ...(exposed.length > 0 ? ["openapi.hpp"] : []),
        ...namedInMain(registered, parts).map((s) => s.header),
        ...flows.filter((f) => f.isGenerated).map((f) => f.header),
        ...new Set(flows.flatMap((f) => (f.own === undefined ? [] : [f.own.header, `../${f.own.source}`]))),
      ].sort(compareText),
      configuration,
      controlPort: Number(/:(\d+)$/.exec(binary.control)?.[1] ?? 0),
    };
  });
}

function planExposed(
  binary: Binary,
  services: readonly ServicePlan[],
  topology: Topology,
): BinaryPlan["exposed"] {
  const bundles = new Map(topology.bundles.map((bundle) => [bundle.name, bundle]));
  const asDrawn = new Map(topology.services.map((service) => [service.name, service]));
  return routesOf(topology, binary).flatMap(({ service: name, bundle, name: route }) => {
    const service = services.find((one) => one.name === name);
    const drawn = asDrawn.get(name);
    if (service === undefined || drawn === undefined) return [];
    const { request, response = "" } = drawn;
    return [
      { service, route, bundle: { name: bundle, doc: bundles.get(bundle)?.doc ?? "" }, request, response },
    ];
  });
}

/**
 * By the name of a binary, the services that it calls, or has as stages, and does not run. Of several binaries that run one, the
 * first of the drawing is asked.
 */
function planRemotes(
  planned: readonly { binary: Binary; services: readonly ServicePlan[]; flows: readonly FlowPlan[] }[],
  { topology, services }: Drawn,
): Map<string, RemotePlan[]> {
  const schemas = new MessageSchemas(topology);
  const drawnServices = new Map(topology.services.map((service) => [service.name, service]));
  const drawnFlows = new Map(topology.flows.map((flow) => [flow.name, flow]));
  const runBy = new Map<string, Binary>();
  for (const one of planned)
    for (const { name } of one.services) if (!runBy.has(name)) runBy.set(name, one.binary);
  return new Map(
    planned.map(({ binary, services: own, flows }): [string, RemotePlan[]] => {
      const here = new Set(own.map(({ name }) => name));
      const outlets = outletsOf(
        flows.map(({ name }) => drawnFlows.get(name)!),
        drawnServices,
        schemas,
      );
      const called = new Set([
        ...own.flatMap(({ calls }) => calls.map(({ callee }) => callee)),
        ...outlets.keys(),
      ]);
      const away = services.filter(({ name }) => called.has(name) && !here.has(name));
      return [
        binary.name,
        away.flatMap((service): RemotePlan[] => {
          const there = runBy.get(service.name);
          const asDrawn = drawnServices.get(service.name);
          const bundle = topology.bundles.find(
            ({ name, services: held }) => there?.bundles.includes(name) && held.includes(service.name),
          );
          if (there === undefined || asDrawn === undefined || bundle === undefined) return [];
          return [
            {
              service,
              binary: there.name,
              stages: outlets.get(service.name) ?? [],
              wireName: `${bundle.name}/${service.name}`,
              requestSchema: schemas.of(asDrawn.request),
              answerSchema: schemas.of(asDrawn.response),
              isIdempotent: asDrawn.idempotent === true,
            },
          ];
        }),
      ];
    }),
  );
}

/** By the name of its service, each stage of the flows as another binary knows it that runs it. */
function outletsOf(
  flows: readonly Flow[],
  services: ReadonlyMap<string, Service>,
  schemas: MessageSchemas,
): Map<string, OutletPlan[]> {
  const outlets = new Map<string, OutletPlan[]>();
  for (const flow of flows)
    for (const { id, service, role, join } of flow.stages) {
      const { request, response } = services.get(service)!;
      const answerSchema = schemas.ofStage(role, request, response);
      const outlet = { name: `${flow.name}.${id}`, role, answerSchema, join: join && configureJoin(join) };
      const known = outlets.get(service);
      if (known === undefined) outlets.set(service, [outlet]);
      else known.push(outlet);
    }
  return outlets;
}

/** What others ask of it, each once. */
function offersOf(binary: string, remotes: ReadonlyMap<string, readonly RemotePlan[]>): OfferPlan[] {
  const offers = new Map<string, OfferPlan>();
  for (const [caller, called] of remotes)
    for (const { binary: asked, isIdempotent: _, ...offer } of called) {
      if (asked !== binary) continue;
      const known = offers.get(offer.wireName);
      const stages = [
        ...new Map([...(known?.stages ?? []), ...offer.stages].map((stage) => [stage.name, stage])).values(),
      ];
      offers.set(offer.wireName, { ...offer, stages, callers: [...(known?.callers ?? []), caller] });
    }
  return [...offers.values()].sort((a, b) => compareText(a.wireName, b.wireName));
}

/** A call to a service that neither this binary nor one that it reaches runs is not registered. */
const planCalls = (
  services: readonly ServicePlan[],
  callable: ReadonlySet<string>,
  project: string,
): BinaryPlan["calls"] =>
  services.flatMap((service) =>
    service.calls
      .filter((call) => callable.has(call.callee))
      .flatMap((call) =>
        service.handlers.map((handler) => ({
          caller: service.name,
          callerType: `::${project}::${handler.cppName}`,
          callee: call.callee,
        })),
      ),
  );

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

/** Where it takes requests, and what its exposed services are asked with. */
function configureHttp(binary: Binary): Pick<BinaryConfiguration, "http" | "expose"> {
  const http = httpOf(binary);
  if (http === undefined) return {};
  const { address, auth, tls, prefix = DEFAULT_PREFIX, origins = [] } = http;
  const decided = { ...(auth !== undefined && { auth }), ...(tls !== undefined && { tls }) };
  const door = Object.keys(decided).length === 0 ? address : { address, ...decided };
  if ((binary.expose ?? []).length === 0) return { http: door };
  return { http: door, expose: { prefix, ...(origins.length > 0 && { origins }) } };
}

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
  { services, flows, remotes, offers }: Pick<BinaryPlan, "services" | "flows" | "remotes" | "offers">,
  drawn: Drawn,
): BinaryConfiguration {
  const drawnServices = new Map(drawn.topology.services.map((service) => [service.name, service]));
  const drawnFlows = new Map(drawn.topology.flows.map((flow) => [flow.name, flow]));
  const called = new Set(remotes.map((remote) => remote.binary));
  const places = drawn.topology.binaries.flatMap((other): [string, string][] => {
    const address = peerAddressOf(other);
    return address !== undefined && other !== binary ? [[other.name, address]] : [];
  });
  const peers = places.filter(([name]) => called.has(name));
  const others = places.filter(([name]) => !called.has(name));
  const here = new Set(services.map(({ name }) => name));
  const offeredJoins = offers.flatMap(({ stages }) =>
    stages.flatMap(({ name, join }): [string, JoinConfiguration][] =>
      join === undefined ? [] : [[name, join]],
    ),
  );
  const server = announcedAt(binary);
  const poolOf = (service: string): string => binary.placement[service]?.pool ?? DEFAULT_POOL;
  return {
    penstock: 1,
    binary: binary.name,
    topologyHash: drawn.topologyHash,
    control: binary.control,
    ...configureHttp(binary),
    ...(server !== undefined && { announce: server }),
    ...(binary.listen.length > 0 && { listen: binary.listen }),
    ...(peers.length > 0 && { peers: record(peers) }),
    ...(others.length > 0 && { others: record(others) }),
    ...(offers.length > 0 &&
      binary.allow === undefined && {
        callers: record(offers.map(({ service, callers }) => [service.name, callers])),
      }),
    sampling: SAMPLING_PER_128,
    ...(binary.watchdogMs !== undefined && { watchdogMs: binary.watchdogMs }),
    ...(binary.liveness !== undefined && { liveness: binary.liveness }),
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
              // That of a stage elsewhere says where it runs over there.
              if (join !== undefined && here.has(stage.service)) return [[stage.id, configureJoin(join)]];
              // The first stage has a thread of its own to go to: the pool of its service.
              return index === 0 ? [[stage.id, poolOf(stage.service)]] : [];
            }),
          ),
        },
      ]),
    ),
    ...(offeredJoins.length > 0 && { joins: record(offeredJoins) }),
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
