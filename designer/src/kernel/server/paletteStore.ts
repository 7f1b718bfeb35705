import type { NodeInfo, SourceInfo } from "@penstock/codegen/contract";
import type { Problem } from "@penstock/codegen/diagnostics";
import type { NodePalette } from "@penstock/codegen/manifests";
import { STANDARD_SOURCES, type SourcePalette } from "@penstock/codegen/sources";
import { createStore } from "zustand/vanilla";
import { ask } from "./api.js";
import { toast } from "../ui/toast.js";

/** The kinds of nodes and sources that the open project may use: the standard ones and its own. */
export interface PaletteState {
  nodes: readonly NodeInfo[];
  /** The same by type, for the rules; undefined until the server has said. */
  palette: NodePalette | undefined;
  /** The standard ones alone until the server has said. */
  sources: readonly SourceInfo[];
  /** The same by kind, for the rules; undefined until the server has said. */
  sourcePalette: SourcePalette | undefined;
  /** What is wrong with the project's own. */
  problems: readonly Problem[];
}

const standard = [...STANDARD_SOURCES.values()].map((source) => ({
  ...source,
  documentation: "",
  own: false,
}));
const nothing: PaletteState = {
  nodes: [],
  palette: undefined,
  sources: standard,
  sourcePalette: undefined,
  problems: [],
};
export const paletteStore = createStore<PaletteState>(() => nothing);

export const setPalette = (
  nodes: readonly NodeInfo[],
  problems: readonly Problem[] = [],
  sources: readonly SourceInfo[] = standard,
): void =>
  paletteStore.setState({
    nodes,
    problems,
    palette: new Map(nodes.map((node) => [node.type, node])),
    sources,
    sourcePalette: new Map(sources.map((source) => [source.kind, source])),
  });

let lastAsked: symbol | undefined;

/**
 * Asks the server for the nodes and sources of a project; without them the drawing is checked without their
 * rules. An answer that comes after another project was asked for is not taken.
 */
export async function loadPalette(project: string): Promise<void> {
  const asked = (lastAsked = Symbol(project));
  try {
    const { nodes, sources, problems } = await ask("nodes", { project });
    if (asked === lastAsked) setPalette(nodes, problems, sources);
  } catch (error) {
    if (asked !== lastAsked) return;
    paletteStore.setState(nothing);
    toast("The nodes and sources of this project cannot be shown", {
      tone: "warn",
      body: error instanceof Error ? error.message : String(error),
    });
  }
}

export const nodeInfo = (type: string): NodeInfo | undefined =>
  paletteStore.getState().nodes.find((node) => node.type === type);
export const sourceInfo = (kind: string): SourceInfo | undefined =>
  paletteStore.getState().sources.find((source) => source.kind === kind);
