import { createStore } from "zustand/vanilla";
import type { Topology } from "@penstock/codegen/topology";

/** Whether it is being asked what to attach, and the address that is offered. */
export const attachStore = createStore<{ asking: { address: string } | null }>(() => ({ asking: null }));

export const openAttach = (address: string): void => attachStore.setState({ asking: { address } });
export const closeAttach = (): void => attachStore.setState({ asking: null });

/** The control address that is drawn of the selected binary, or of the only one; "" where the system chooses it. */
export function offeredAddress({ binaries }: Topology, selected: string): string {
  const [, name] = /^(?:binary|pool):([^/]+)/.exec(selected) ?? [];
  const binary =
    binaries.find((one) => one.name === name) ?? (binaries.length === 1 ? binaries[0] : undefined);
  return binary === undefined || binary.control.endsWith(":0") ? "" : binary.control;
}
