import type { Rename } from "@penstock/codegen/contract";
import { FAILURE, type Service, type ServiceKind, type Topology } from "@penstock/codegen/topology";
import { freshName, patched, replaced, withTopology, type DocumentModel } from "../model.js";
import { sharedNames } from "./messages.js";

const BASE_NAME: Record<ServiceKind, string> = {
  simple: "Service",
  "single-threaded": "Recorder",
  "sync-remote": "Fetch",
  "async-remote": "Ask",
};

export const freshServiceName = (topology: Topology, kind: ServiceKind): string =>
  freshName(BASE_NAME[kind], sharedNames(topology));

/** What a new service most likely takes and gives: what the one drawn last does, else the first messages. */
export function likelyTypes(topology: Topology): Pick<Service, "request" | "response"> {
  // A catch takes failures: no model for what comes next.
  const last = topology.services.findLast((service) => service.request !== FAILURE);
  if (last)
    return last.response ? { request: last.request, response: last.response } : { request: last.request };
  const [first, second] = topology.messages;
  return { request: first?.name ?? "", ...(second ? { response: second.name } : {}) };
}

export function addService(model: DocumentModel, service: Service): DocumentModel {
  const { topology } = model;
  return withTopology(model, { ...topology, services: [...topology.services, service] });
}

export function changeService(
  model: DocumentModel,
  name: string,
  change: (service: Service) => Service,
): DocumentModel {
  const { topology } = model;
  const services = replaced(topology.services, (service) => service.name === name, change);
  return services === topology.services ? model : withTopology(model, { ...topology, services });
}

export const patchService = (
  model: DocumentModel,
  name: string,
  patch: { [K in keyof Service]?: Service[K] | undefined },
): DocumentModel => changeService(model, name, (service) => patched(service, patch));

/** Sets the kind. Only a single-threaded service is divided: any other one loses what divided it. */
export const setKind = (model: DocumentModel, name: string, kind: ServiceKind): DocumentModel =>
  patchService(model, name, kind === "single-threaded" ? { kind } : { kind, partitionBy: undefined });

export const addCall = (model: DocumentModel, from: string, to: string): DocumentModel =>
  changeService(model, from, (service) =>
    service.calls.includes(to) ? service : { ...service, calls: [...service.calls, to] },
  );

export const removeCall = (model: DocumentModel, from: string, to: string): DocumentModel =>
  changeService(model, from, (service) =>
    service.calls.includes(to) ? { ...service, calls: service.calls.filter((name) => name !== to) } : service,
  );

/** Adds an implementation; the first one added makes two, since one alone is the service itself. */
export function addImplementation(service: Service): Service {
  const first = service.implementations.length === 0 ? [`${service.name}A`] : service.implementations;
  return { ...service, implementations: [...first, freshName(`${service.name}B`, first)] };
}

/**
 * What the user's code follows when a service has other implementations: its only handler becomes the first
 * of them, and the last one taken out its only handler.
 */
export function handlerRenames({ name, implementations }: Service, next: readonly string[]): Rename[] {
  const [was = ""] = implementations;
  const [is = ""] = next;
  return (was === "") === (is === "")
    ? []
    : [{ kind: "implementation", from: `${name}/${was}`, to: `${name}/${is}` }];
}
