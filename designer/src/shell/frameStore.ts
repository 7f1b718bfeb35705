import { createStore } from "zustand/vanilla";

/** Which panels of the frame are open (the panel library keeps their sizes) and what was waved away. */
export interface FrameState {
  left: boolean;
  dock: boolean;
  /** Somebody said "I know" to the server running as root. */
  rootSeen: boolean;
}
const KEY = "penstock.frame";

const stored = (): FrameState => {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<FrameState>;
    return { left: value.left !== false, dock: value.dock !== false, rootSeen: value.rootSeen === true };
  } catch {
    return { left: true, dock: true, rootSeen: false };
  }
};

export const frameStore = createStore<FrameState>(() => stored());
frameStore.subscribe((state) => {
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // Forgotten with the page.
  }
});

export const toggleLeft = (): void => frameStore.setState(({ left }) => ({ left: !left }));
export const toggleDock = (): void => frameStore.setState(({ dock }) => ({ dock: !dock }));
export const openDock = (): void => frameStore.setState({ dock: true });
