import type { Topology } from "@penstock/codegen/topology";

/** What keeps a drawing without a problem from running: there is too little of it. Undefined when it can be run. */
export function whatIsMissing({ services, flows, binaries }: Topology): string | undefined {
  const nothing = services.length === 0 && flows.length === 0;
  if (nothing && binaries.length === 0)
    return "It needs a service, a bundle that holds it and a binary that runs the bundle. Drag a service from the palette to begin.";
  if (nothing) return "It needs a service: drag one from the palette, or press S.";
  if (binaries.length === 0)
    return "It needs a binary: select a bundle and choose Add binary for this bundle.";
  return undefined;
}
