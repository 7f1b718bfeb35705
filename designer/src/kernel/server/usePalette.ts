import type { NodeInfo, SourceInfo } from "@penstock/codegen/contract";
import { useStore } from "zustand";
import { paletteStore, type PaletteState } from "./paletteStore.js";

export const usePalette = (): PaletteState => useStore(paletteStore);
export const useNodeInfo = (type: string): NodeInfo | undefined =>
  useStore(paletteStore, (state) => state.nodes.find((node) => node.type === type));
export const useSourceInfo = (kind: string): SourceInfo | undefined =>
  useStore(paletteStore, (state) => state.sources.find((source) => source.kind === kind));
