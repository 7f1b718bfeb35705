import type { Bundle, StageRole, Topology } from "../../topology/index.js";

/** Services and flows by name. */
interface Members {
  services: string[];
  flows: string[];
}

/** What can be drawn otherwise to make a problem go away. Who offers it knows what it is called and how it is done. */
export type Fix =
  | { does: "add to bundle"; bundle: string; members: Members }
  | { does: "bundle everything" }
  /** `name` is of nothing that is drawn; `meant` is, and is in no bundle. */
  | { does: "use in bundle"; bundle: string; key: keyof Members; name: string; meant: string }
  | { does: "remove from bundle"; bundle: string; key: keyof Members; name: string }
  | { does: "add to binary"; binary: string; bundle: string }
  | { does: "add binary"; bundle: string }
  | { does: "use message"; service: string; key: "request" | "response"; message: string }
  /** Without `message`: of a name that is free. */
  | { does: "make message"; service: string; key: "request" | "response"; message?: string }
  | { does: "use event"; flow: string; message: string }
  | { does: "append stage"; flow: string; service: string; role: StageRole }
  /** A new service, which takes the flow's events. */
  | { does: "new stage"; flow: string }
  | { does: "remove flow"; flow: string }
  /** At any port of this machine. */
  | { does: "take http"; binary: string }
  /** A token is asked for, and TLS spoken with the binary's keys, where nothing better is drawn. */
  | { does: "secure http"; binary: string }
  | { does: "stop exposing"; binary: string; service: string }
  /** Everywhere; routes of what it exposes have the new name, too. */
  | { does: "rename bundle"; bundle: string; name: string }
  | { does: "remove placement"; binary: string; service: string }
  | { does: "remove steal"; binary: string; pool: string }
  /** The one at this place of the binary's list. */
  | { does: "remove rule"; binary: string; at: number }
  | { does: "exchange thresholds"; binary: string; at: number };

/** What is in no bundle goes into one that is there, or makes the first. */
export function bundleFixes({ bundles, binaries }: Topology, members: Members): Fix[] {
  // One that some binary runs makes it run.
  const runs = ({ name }: Bundle): boolean => binaries.some((binary) => binary.bundles.includes(name));
  const inOrder = [...bundles.filter(runs), ...bundles.filter((bundle) => !runs(bundle))];
  if (inOrder.length === 0) return [{ does: "bundle everything" }];
  return inOrder.slice(0, 2).map(({ name }) => ({ does: "add to bundle", bundle: name, members }));
}

/** As above, of a service that is there and that no bundle has yet. */
export function servingFixes(topology: Topology, service: string | undefined): Fix[] {
  const known = topology.services.some(({ name }) => name === service);
  if (service === undefined || !known || isBundled(topology, service)) return [];
  return bundleFixes(topology, { services: [service], flows: [] });
}

export const isBundled = ({ bundles }: Topology, service: string): boolean =>
  bundles.some(({ services }) => services.includes(service));
