import type { ServiceCallEnd, TriedCall } from "@penstock/codegen/contract";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { ask, ApiFailure } from "../../kernel/server/api.js";
import { projectStore } from "../../kernel/server/projectStore.js";
import { asRunning, drawnName } from "../../kernel/live/liveStore.js";
import type { Typed } from "./requestForm.js";
import { select } from "../../kernel/document/index.js";
import type { ServiceMenuLine } from "../../registry/feature.js";

/** How a call ended, or why there was none. */
export type TryEnd = ServiceCallEnd | { refused: string; help: string };

interface Tried {
  readonly typed: Typed;
  readonly busy: boolean;
  readonly end: TryEnd | null;
  readonly earlier: readonly TriedCall[];
}
const fresh: Tried = { typed: {}, busy: false, end: null, earlier: [] };
const KEPT = 10;

interface TryState {
  readonly project: string | null;
  readonly services: Readonly<Record<string, Tried>>;
  /** Whose form takes the cursor as soon as it is there. */
  readonly wanted: string | null;
}

const tryStore = createStore<TryState>(() => ({ project: null, services: {}, wanted: null }));

export const useTried = (service: string): Tried =>
  useStore(tryStore, ({ services }) => services[service] ?? fresh);
export const useWanted = (): string | null => useStore(tryStore, ({ wanted }) => wanted);

/** Opens the form of a service: the inspector scrolls to it. */
export const wantTry = (service: string): void => tryStore.setState({ wanted: service });
export const tryShown = (): void => tryStore.setState({ wanted: null });

function patch(service: string, change: Partial<Tried>): void {
  tryStore.setState(({ services }) => ({
    services: { ...services, [service]: { ...(services[service] ?? fresh), ...change } },
  }));
}

export const typeIn = (service: string, typed: Typed): void => patch(service, { typed });
/** An earlier call again: its request in the form, and how it ended. */
export const showEarlier = (service: string, typed: Typed, { end }: TriedCall): void =>
  patch(service, { typed, end });

/** Fetches what was tried of the open project, once. */
export async function loadTried(): Promise<void> {
  const { project } = projectStore.getState();
  if (project === null || tryStore.getState().project === project) return;
  tryStore.setState({ project, services: {} });
  try {
    const kept = await ask("triedCalls", { project });
    if (tryStore.getState().project !== project) return;
    for (const [service, earlier] of Object.entries(kept)) patch(service, { earlier });
  } catch (error) {
    // Nothing is offered again then.
    if (!(error instanceof ApiFailure)) throw error;
  }
}

/** Asks the service, by the name that it runs by, once; what comes of it is shown where it was asked. */
export async function tryService(binary: string, service: string, request: string): Promise<void> {
  const { project } = projectStore.getState();
  if (project === null) return;
  void loadTried();
  patch(service, { busy: true });
  // What is opened meanwhile may have a service of the same name.
  const take = (change: Partial<Tried>): void => {
    if (tryStore.getState().project === project) patch(service, change);
  };
  const runs = asRunning(drawnName(binary), { service })?.params ?? { service };
  try {
    const end = await ask("callService", { project, binary }, { body: { ...runs, request } });
    const others = (tryStore.getState().services[service] ?? fresh).earlier.filter(
      (call) => call.request !== request,
    );
    take({ end, earlier: [{ at: Date.now(), request, end }, ...others].slice(0, KEPT) });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    take({ end: { refused: error.message, help: error.help } });
  } finally {
    take({ busy: false });
  }
}

/** Opens the form of a service from the menu of its node. */
export const tryLine: ServiceMenuLine = (service, node) => ({
  label: "Try…",
  perform: () => {
    select(node);
    wantTry(service);
  },
});
