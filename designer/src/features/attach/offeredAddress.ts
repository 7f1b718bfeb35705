import type { Topology } from "@penstock/codegen/topology";

/** The control address that is drawn of the selected binary, or of the only one; "" where the system chooses it. */
export function offeredAddress({ binaries }: Topology, selected: string): string {
  const [, name] = /^(?:binary|pool):([^/]+)/.exec(selected) ?? [];
  const binary =
    binaries.find((one) => one.name === name) ?? (binaries.length === 1 ? binaries[0] : undefined);
  return binary === undefined || binary.control.endsWith(":0") ? "" : binary.control;
}
