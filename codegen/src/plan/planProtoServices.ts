import { protoScope, type Topology } from "../model/topology/index.js";

/** A bundle as a service of the `.proto`. */
export interface ProtoServicePlan {
  name: string;
  doc: string;
  calls: { name: string; doc: string; request: string; response: string }[];
}

export interface ProtoServicesPlan {
  services: ProtoServicePlan[];
  /** The empty message that services without a response answer with; "" where there are none. */
  noAnswer: string;
  /** Bundles that a message, enum or value has the name of: one scope has them all. */
  leftOut: string[];
}

/** Bundles are services of protobuf, their services its calls: programs in other languages ask for them so. */
export function planProtoServices(topology: Topology): ProtoServicesPlan {
  const taken = protoScope(topology);
  const byName = new Map(topology.services.map((service) => [service.name, service]));
  const bundles = topology.bundles.filter(({ services }) => services.length > 0);
  const named = new Set([...taken.keys(), ...bundles.map(({ name }) => name)]);
  let noAnswer = "NoAnswer";
  for (let number = 2; named.has(noAnswer); ++number) noAnswer = `NoAnswer${number}`;
  const services = bundles
    .filter(({ name }) => !taken.has(name))
    .map(({ name, doc = "", services: members }) => ({
      name,
      doc,
      calls: members
        .flatMap((member) => byName.get(member) ?? [])
        .map((service) => ({
          name: service.name,
          doc: service.doc ?? "",
          request: service.request,
          response: service.response ?? noAnswer,
        })),
    }));
  const needsIt = services.some(({ calls }) => calls.some(({ response }) => response === noAnswer));
  return {
    services,
    noAnswer: needsIt ? noAnswer : "",
    leftOut: bundles.map(({ name }) => name).filter((name) => taken.has(name)),
  };
}
