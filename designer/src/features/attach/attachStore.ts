import { createStore } from "zustand/vanilla";

/** Whether it is being asked what to attach, and the address that is offered. */
export const attachStore = createStore<{ asking: { address: string } | null }>(() => ({ asking: null }));

export const openAttach = (address: string): void => attachStore.setState({ asking: { address } });
export const closeAttach = (): void => attachStore.setState({ asking: null });
