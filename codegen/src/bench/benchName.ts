import { nodeRef, type NodeRef, type Topology } from "../model/topology/index.js";

/** Whose benchmark it is. */
export interface BenchOwner {
  /** As it is registered, without what Google Benchmark adds: `ProduceAd/ModelA`. */
  name: string;
  /** "" when the name names no service. */
  service: string;
  implementation?: string;
}

/** How a benchmark says what it measures: `/real_time`, `/iterations:3` ... */
const SETTINGS = /\/(?:real_time|process_time|manual_time|(?:min_time|iterations|repeats):[\d.]+)(?=\/|$)/g;

/**
 * The service and implementation that a registered name begins with: `GetAd`, `GetAd/warm`,
 * `ProduceAd/ModelA`. Starts of older projects were called `GetAdBench` and `ProduceAdModelABench`.
 */
export function ownerOf(registered: string, topology: Topology): BenchOwner {
  const name = registered.replace(SETTINGS, "");
  const [first = "", second = ""] = name.split("/");
  for (const { name: service, implementations } of topology.services) {
    const named = implementations ?? [];
    if (first === service) {
      return named.includes(second) ? { name, service, implementation: second } : { name, service };
    }
    if (first === `${service}Bench`) return { name, service };
    const implementation = named.find((one) => first === `${service}${one}Bench`);
    if (implementation !== undefined) return { name, service, implementation };
  }
  return { name, service: "" };
}

/** For people: the service and what is measured of it. */
export const labelOf = ({ name, service, implementation }: BenchOwner): string =>
  service === "" || name.startsWith(service + (implementation === undefined ? "/" : `/${implementation}`))
    ? name
    : implementation === undefined
      ? service
      : `${service}/${implementation}`;

export const nodeOf = ({ service }: BenchOwner): { node?: NodeRef } =>
  service === "" ? {} : { node: nodeRef("service", service) };
