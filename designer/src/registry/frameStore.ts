import { createStore } from "zustand/vanilla";

/** Which panels of the frame are open, how wide the sides are, and what was waved away. */
export interface FrameState {
  left: boolean;
  dock: boolean;
  /** In a narrow window the properties are shown in place of the left panel. */
  properties: boolean;
  /** In pixels: a share of the window would be another width in another window. */
  widths: SideWidths;
  /** Somebody said "I know" to the server running as root. */
  rootSeen: boolean;
}
export interface SideWidths {
  left: number;
  inspector: number;
}
export const SIDE_LIMITS = { left: { min: 180, max: 520 }, inspector: { min: 240, max: 520 } } as const;
const WIDTHS: SideWidths = { left: 236, inspector: 304 };
const KEY = "penstock.frame";

const within = (side: keyof SideWidths, width: number): number =>
  Number.isFinite(width)
    ? Math.round(Math.min(Math.max(width, SIDE_LIMITS[side].min), SIDE_LIMITS[side].max))
    : WIDTHS[side];

const stored = (): FrameState => {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<FrameState>;
    const width = (side: keyof SideWidths) => within(side, value.widths?.[side] ?? WIDTHS[side]);
    return {
      left: value.left !== false,
      dock: value.dock !== false,
      properties: value.properties === true,
      widths: { left: width("left"), inspector: width("inspector") },
      rootSeen: value.rootSeen === true,
    };
  } catch {
    return { left: true, dock: true, properties: false, widths: WIDTHS, rootSeen: false };
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
/** Keeps the widths that somebody has dragged; `shares` are percent of the frame by panel. */
export function keepWidths(shares: Readonly<Record<string, number>>, frameWidth: number): void {
  const { widths } = frameStore.getState();
  const width = (side: keyof SideWidths): number => {
    const share = shares[side];
    return share === undefined ? widths[side] : within(side, (share / 100) * frameWidth);
  };
  frameStore.setState({ widths: { left: width("left"), inspector: width("inspector") } });
}
export const openDock = (): void => frameStore.setState({ dock: true });
