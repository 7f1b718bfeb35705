import type { Bundle, Topology } from "@penstock/codegen/topology";
import { madeOnce } from "../madeOnce.js";
import { freshName, patched, replaced, withTopology, type DocumentModel } from "../model.js";

export const bundleRef = (name: string): string => `bundle:${name}`;

export const freshBundleName = (topology: Topology): string =>
  freshName(
    "Bundle",
    topology.bundles.map((bundle) => bundle.name),
  );

/** What moves together: services and flows by name. */
export interface Members {
  services: readonly string[];
  flows: readonly string[];
}

export const addBundle = (model: DocumentModel, name: string, members: Members): DocumentModel => {
  const { topology } = model;
  const bundle: Bundle = { name, services: [], flows: [] };
  return moveToBundle(
    withTopology(model, { ...topology, bundles: [...topology.bundles, bundle] }),
    members,
    name,
  );
};

export function changeBundle(
  model: DocumentModel,
  name: string,
  patch: { [K in keyof Bundle]?: Bundle[K] | undefined },
): DocumentModel {
  const { topology } = model;
  const bundles = replaced(
    topology.bundles,
    (bundle) => bundle.name === name,
    (bundle) => patched(bundle, patch),
  );
  return bundles === topology.bundles ? model : withTopology(model, { ...topology, bundles });
}

/** Moves services and flows into one bundle (null: out of all). Membership elsewhere ends. */
export function moveToBundle(model: DocumentModel, members: Members, target: string | null): DocumentModel {
  const { topology } = model;
  const bundles = replaced(
    topology.bundles,
    () => true,
    (bundle) => {
      const into = bundle.name === target;
      return patched(bundle, {
        services: moveNames(bundle.services, members.services, into),
        flows: moveNames(bundle.flows, members.flows, into),
      });
    },
  );
  return bundles === topology.bundles ? model : withTopology(model, { ...topology, bundles });
}

/** The bundles that these can be moved to: all but the one that has them already, alone. */
export const bundlesToMoveTo = ({ bundles }: Topology, { services, flows }: Members): Bundle[] =>
  bundles.filter(
    (bundle) =>
      !services.every((name) => isOnlyIn(bundle, bundles, "services", name)) ||
      !flows.every((name) => isOnlyIn(bundle, bundles, "flows", name)),
  );

const isOnlyIn = (
  bundle: Bundle,
  bundles: readonly Bundle[],
  list: "services" | "flows",
  name: string,
): boolean => bundles.every((other) => other[list].includes(name) === (other === bundle));

function moveNames(list: string[], names: readonly string[], into: boolean): string[] {
  const next = into
    ? [...list, ...names.filter((name) => !list.includes(name))]
    : list.filter((name) => !names.includes(name));
  return next.length === list.length ? list : next;
}

/** Every bundle that lists a service or a flow, in the document's order. */
const holders = (list: "services" | "flows") =>
  madeOnce((bundles: readonly Bundle[]): ReadonlyMap<string, readonly Bundle[]> => {
    const found = new Map<string, Bundle[]>();
    for (const bundle of bundles)
      for (const name of new Set(bundle[list])) {
        const known = found.get(name);
        if (known) known.push(bundle);
        else found.set(name, [bundle]);
      }
    return found;
  });
const holdersOfServices = holders("services");
const holdersOfFlows = holders("flows");

export const bundlesOfService = (topology: Topology, service: string): readonly Bundle[] =>
  holdersOfServices(topology.bundles).get(service) ?? [];
/** The bundle a thing is drawn in: the first that lists it. */
export const bundleOfService = (topology: Topology, service: string): Bundle | undefined =>
  bundlesOfService(topology, service)[0];
export const bundleOfFlow = (topology: Topology, flow: string): Bundle | undefined =>
  holdersOfFlows(topology.bundles).get(flow)?.[0];

/** Dissolves a bundle; what was in it stays. */
export function removeBundle(model: DocumentModel, name: string): DocumentModel {
  const { topology } = model;
  return withTopology(model, {
    ...topology,
    bundles: topology.bundles.filter((bundle) => bundle.name !== name),
    binaries: replaced(
      topology.binaries,
      (binary) => binary.bundles.includes(name),
      (binary) => ({ ...binary, bundles: binary.bundles.filter((item) => item !== name) }),
    ),
  });
}

/**
 * Puts a service that is in no bundle into the one that `beside` names (a service's or a flow's):
 * what is connected to something deployed is deployed with it, unless somebody said otherwise.
 */
export function joinBundleOf(
  model: DocumentModel,
  service: string,
  beside: { service: string } | { flow: string },
): DocumentModel {
  const { topology } = model;
  if (bundleOfService(topology, service)) return model;
  const bundle =
    "flow" in beside ? bundleOfFlow(topology, beside.flow) : bundleOfService(topology, beside.service);
  return bundle ? moveToBundle(model, { services: [service], flows: [] }, bundle.name) : model;
}
