import {
  indexTopology,
  isCoroutine,
  nodeRef,
  returningCalls,
  snakeCase,
  type Service,
  type Topology,
} from "../model/topology/index.js";
import { type NodePalette } from "../model/manifests/index.js";
import { NodePlanner } from "./planNodes.js";
import { planStart } from "./planStart.js";
import { TypeSpeller } from "./planTypes.js";
import type { HandlerPlan, ServicePlan, StartPlan } from "./projectPlan.js";

/** What a handler's file has in scope besides the project's names: its class's members and bases. */
const INHERITED_NAMES: ReadonlySet<string> = new Set(["Handler"]);

export function planServices(topology: Topology, palette: NodePalette): ServicePlan[] {
  const nodes = new NodePlanner(topology, indexTopology(topology), palette);
  const speller = new TypeSpeller(topology);
  const returns = returningCalls(topology);
  const byName = new Map(topology.services.map((service) => [service.name, service]));
  const resultOf = (service: Service): string =>
    service.response === undefined ? "void" : speller.message(service.response);

  return topology.services.map((service): ServicePlan => {
    const file = snakeCase(service.name);
    const responseType = resultOf(service);
    const standard = nodes.plan(service, `services/${file}.state.hpp`);
    const coroutine = isCoroutine(service);
    const wrap = (type: string): string => (coroutine ? `::penstock::Task<${type}>` : type);
    return {
      name: service.name,
      doc: service.doc ?? "",
      node: nodeRef("service", service.name),
      kind: service.kind,
      kindEnumerator: service.kind.replace("-", "_"),
      header: `services/${file}.hpp`,
      stateHeader: `services/${file}.state.hpp`,
      requestType: speller.message(service.request),
      responseType,
      resultType: wrap(standard?.mayEnd === true ? unlessEnded(responseType) : responseType),
      isCoroutine: coroutine,
      hasImplementations: service.implementations.length > 0,
      handlers: planHandlers(service, speller, wrap, (short) =>
        planStart(
          service,
          service.calls.flatMap((callee) => byName.get(callee) ?? []),
          { returns, short },
        ),
      ),
      calls: service.calls.flatMap((callee) => {
        const called = byName.get(callee);
        if (called === undefined) return [];
        return { callee, requestType: speller.message(called.request), responseType: resultOf(called) };
      }),
      deadlineMs: service.deadlineMs ?? 0,
      partitionField: service.partitionBy ?? "",
      inlets: standard === undefined ? inletsOf(service, topology, speller) : [],
      standard,
    };
  });
}

/** In the order of the drawing, each once however many bundles hold both. */
function inletsOf(service: Service, topology: Topology, speller: TypeSpeller): ServicePlan["inlets"] {
  const near = new Set(
    topology.bundles
      .filter((bundle) => bundle.services.includes(service.name))
      .flatMap((bundle) => bundle.flows),
  );
  return topology.flows
    .filter((flow) => flow.source.kind === "service" && near.has(flow.name))
    .map((flow) => ({ flow: flow.name, eventType: speller.message(flow.event) }));
}

/** What a handler gives back that may end an event instead. */
const unlessEnded = (responseType: string): string =>
  responseType === "void" ? "::penstock::Verdict" : `std::optional<${responseType}>`;

function planHandlers(
  service: Service,
  speller: TypeSpeller,
  wrap: (type: string) => string,
  startOf: (short: (name: string) => string) => StartPlan,
): HandlerPlan[] {
  const file = snakeCase(service.name);
  const inScope = new Set([...INHERITED_NAMES, ...service.implementations]);
  /** Short in the user's file, unless a name of the class hides it there. */
  const short = (name: string): string => (inScope.has(name) ? speller.message(name) : name);
  const userResponseType = service.response === undefined ? "void" : short(service.response);
  const start = startOf(short);
  const handler = (className: string, implementation: string, source: string): HandlerPlan => ({
    className,
    cppName: implementation === "" ? className : `${service.name}::${className}`,
    label: implementation === "" ? service.name : `${service.name}/${implementation}`,
    implementation,
    source,
    userRequestType: short(service.request),
    userResponseType,
    userResultType: wrap(userResponseType).replace(/^::penstock/, "penstock"),
    changesRequest: false,
    start,
  });
  const folder = service.node === undefined ? "src" : "generated";
  if (service.implementations.length === 0)
    return [handler(service.name, "", `${folder}/services/${file}.cpp`)];
  return service.implementations.map((name) =>
    handler(name, name, `src/services/${file}/${snakeCase(name)}.cpp`),
  );
}
