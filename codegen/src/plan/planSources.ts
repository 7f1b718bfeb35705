import { snakeCase } from "../model/topology/index.js";
import type { FlowPlan, ServicePlan, SourcePlan } from "./projectPlan.js";

/** The user's files, by what they belong to: the map from a node on the canvas to its C++. */
export function planSources(services: readonly ServicePlan[], flows: readonly FlowPlan[]): SourcePlan[] {
  const file = (
    path: string,
    node: SourcePlan["node"],
    role: SourcePlan["role"],
    implementation = "",
  ): SourcePlan => ({ path, node, implementation, role });
  return [
    ...services
      .filter((service) => service.standard === undefined)
      .flatMap((service) => [
        ...service.handlers.map((h) => file(h.source, service.node, "handler", h.implementation)),
        file(`src/${service.stateHeader}`, service.node, "state"),
        file(testPath(service.name), service.node, "test"),
        file(benchPath(service.name), service.node, "bench"),
      ]),
    ...flows
      .filter((flow) => flow.isGenerated && flow.made === undefined)
      .flatMap((flow) => [
        file(flow.source, flow.node, "handler"),
        file(`src/${flow.stateHeader}`, flow.node, "state"),
      ]),
  ];
}

export const testPath = (service: string): string => `tests/${snakeCase(service)}_test.cpp`;
export const benchPath = (service: string): string => `bench/${snakeCase(service)}_bench.cpp`;

/** Where a file of `role` stood under other names: what a rename looks for. */
export function sourcePath(
  node: "service" | "flow",
  role: SourcePlan["role"],
  name: string,
  implementation: string,
): string {
  const file = snakeCase(name);
  if (role === "test") return testPath(name);
  if (role === "bench") return benchPath(name);
  const folder = node === "flow" ? "src/flows" : "src/services";
  if (role === "state") return `${folder}/${file}.state.hpp`;
  return implementation === ""
    ? `${folder}/${file}.cpp`
    : `${folder}/${file}/${snakeCase(implementation)}.cpp`;
}
