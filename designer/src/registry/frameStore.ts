import { createStore } from "zustand/vanilla";

/** Which panels of the frame are open, how wide the sides are, and what was waved away. */
export interface FrameState {
  left: boolean;
  dock: boolean;
  /** In a narrow window the properties are shown in place of the left panel. */
  properties: boolean;
  /** In pixels: a share of the window would be another width in another window. */
  sizes: PanelSizes;
  /** Somebody said "I know" to the server running as root. */
  rootSeen: boolean;
}
/** How wide the sides are, and how high the dock. */
export interface PanelSizes {
  left: number;
  inspector: number;
  dock: number;
}
export const PANEL_LIMITS = {
  left: { min: 180, max: 520 },
  inspector: { min: 240, max: 520 },
  dock: { min: 110, max: 1200 },
} as const;
const SIZES: PanelSizes = { left: 236, inspector: 304, dock: 214 };
const KEY = "penstock.frame";

const within = (panel: keyof PanelSizes, size: number): number =>
  Number.isFinite(size)
    ? Math.round(Math.min(Math.max(size, PANEL_LIMITS[panel].min), PANEL_LIMITS[panel].max))
    : SIZES[panel];

const stored = (): FrameState => {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<FrameState>;
    const size = (panel: keyof PanelSizes) => within(panel, value.sizes?.[panel] ?? SIZES[panel]);
    return {
      left: value.left !== false,
      dock: value.dock !== false,
      properties: value.properties === true,
      sizes: { left: size("left"), inspector: size("inspector"), dock: size("dock") },
      rootSeen: value.rootSeen === true,
    };
  } catch {
    return { left: true, dock: true, properties: false, sizes: SIZES, rootSeen: false };
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
export const openLeft = (): void => frameStore.setState({ left: true, properties: false });
export const toggleProperties = (): void =>
  frameStore.setState(({ properties }) => ({ properties: !properties }));
export const toggleDock = (): void => frameStore.setState(({ dock }) => ({ dock: !dock }));
/** Keeps the sizes that somebody has dragged; `shares` are percent of `whole` pixels by panel. */
export function keepSizes(shares: Readonly<Record<string, number>>, whole: number): void {
  const { sizes } = frameStore.getState();
  const size = (panel: keyof PanelSizes): number => {
    const share = shares[panel];
    return share === undefined ? sizes[panel] : within(panel, (share / 100) * whole);
  };
  frameStore.setState({
    sizes: { left: size("left"), inspector: size("inspector"), dock: size("dock") },
  });
}
export const openDock = (): void => frameStore.setState({ dock: true });
