import { createStore } from "zustand/vanilla";

export const commandPaletteStore = createStore<{ open: boolean }>(() => ({ open: false }));
export const openCommandPalette = (): void => commandPaletteStore.setState({ open: true });
export const closeCommandPalette = (): void => commandPaletteStore.setState({ open: false });
