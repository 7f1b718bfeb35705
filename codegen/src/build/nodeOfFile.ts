import { nodeRef, snakeCase, type Topology } from "../model/topology/index.js";

/** Nodes by the words that stand for them in paths. */
interface NodesByWord {
  services: ReadonlyMap<string, string>;
  flows: ReadonlyMap<string, string>;
  binaries: ReadonlyMap<string, string>;
}

const known = new WeakMap<Topology, NodesByWord>();

/** Made once a drawing: a build may name thousands of files of thousands of services. */
function nodesByWord(topology: Topology): NodesByWord {
  const found = known.get(topology);
  if (found !== undefined) return found;
  const { services, flows, binaries } = topology;
  const made = {
    services: new Map(services.map(({ name }) => [snakeCase(name), nodeRef("service", name)])),
    flows: new Map(flows.map(({ name }) => [snakeCase(name), nodeRef("flow", name)])),
    binaries: new Map(binaries.map(({ name }) => [name.replaceAll("-", "_"), nodeRef("binary", name)])),
  };
  known.set(topology, made);
  return made;
}

/**
 * The canvas node that a file of a generated project belongs to, from the places that the
 * project's layout fixes; `""` when it belongs to none. `path` is relative to the project.
 */
export function nodeOfFile(topology: Topology, path: string): string {
  const service = /^(?:src|generated)\/services\/([a-z0-9_]+)(?:\/|\.)/.exec(path)?.[1];
  const tested = /^(?:tests|bench)\/([a-z0-9_]+)_(?:test|bench)\.cpp$/.exec(path)?.[1];
  const flow = /^(?:src|generated)\/flows\/([a-z0-9_]+)\./.exec(path)?.[1];
  const binary = /^generated\/binaries\/([a-z0-9_]+)(?:\/services_\d+)?\.cpp$/.exec(path)?.[1];
  const { services, flows, binaries } = nodesByWord(topology);
  return services.get(service ?? tested ?? "") ?? flows.get(flow ?? "") ?? binaries.get(binary ?? "") ?? "";
}

/** The canvas node of the service of that name; `""` when there is none. */
export const nodeOfService = (topology: Topology, name: string): string =>
  nodesByWord(topology).services.get(snakeCase(name)) ?? "";
