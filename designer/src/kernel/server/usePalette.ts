import type { NodeInfo, SourceInfo } from "@penstock/codegen/contract";
import { useMemo } from "react";
import { useStore } from "zustand";
import { sourceIcons, type SourceIcons } from "../ui/icons/iconKind.js";
import { paletteStore, type PaletteState } from "./paletteStore.js";

export const usePalette = (): PaletteState => useStore(paletteStore);
export const useNodeInfo = (type: string): NodeInfo | undefined =>
  useStore(paletteStore, (state) => state.nodes.find((node) => node.type === type));
export const useSourceInfo = (kind: string): SourceInfo | undefined =>
  useStore(paletteStore, (state) => state.sources.find((source) => source.kind === kind));

/** What stands for a kind of source, with those of the project. */
export const useSourceIcon = (): SourceIcons => {
  const sources = useStore(paletteStore, (state) => state.sources);
  return useMemo(() => sourceIcons(sources), [sources]);
};
