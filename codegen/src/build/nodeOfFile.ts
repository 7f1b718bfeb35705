import { nodeRef, snakeCase, type Topology } from "../model/topology/index.js";

/**
 * The canvas node that a file of a generated project belongs to, from the places that the
 * project's layout fixes; `""` when it belongs to none. `path` is relative to the project.
 */
export function nodeOfFile(topology: Topology, path: string): string {
  const service = /^(?:src|generated)\/services\/([a-z0-9_]+)(?:\/|\.)/.exec(path)?.[1];
  const tested = /^(?:tests|bench)\/([a-z0-9_]+)_(?:test|bench)\.cpp$/.exec(path)?.[1];
  const flow = /^(?:src|generated)\/flows\/([a-z0-9_]+)\./.exec(path)?.[1];
  const binary = /^generated\/binaries\/([a-z0-9_]+)\.cpp$/.exec(path)?.[1];
  const serviceName = service ?? tested;
  if (serviceName !== undefined) {
    const found = topology.services.find(({ name }) => snakeCase(name) === serviceName);
    if (found) return nodeRef("service", found.name);
  }
  if (flow !== undefined) {
    const found = topology.flows.find(({ name }) => snakeCase(name) === flow);
    if (found) return nodeRef("flow", found.name);
  }
  if (binary !== undefined) {
    const found = topology.binaries.find(({ name }) => name.replaceAll("-", "_") === binary);
    if (found) return nodeRef("binary", found.name);
  }
  return "";
}
