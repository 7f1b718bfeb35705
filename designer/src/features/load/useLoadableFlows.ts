import { loadableFlows } from "@penstock/codegen/contract";
import { useStore } from "zustand";
import { allTracks, drawnName, liveStore } from "../../kernel/live/liveStore.js";
import { isAlive, useProject } from "../../kernel/server/projectStore.js";
import type { LoadableFlow } from "./loadStore.js";

/** Flows of running binaries whose source makes events at a rate, by the names that they are drawn by. */
export function useLoadableFlows(): LoadableFlow[] {
  // Schemas come with the first frame of a binary and seldom after.
  const key = useStore(liveStore, loadable);
  const binaries = useProject((state) => state.binaries);
  if (key === "") return [];
  return key
    .split(" ")
    .map((one) => one.split("/"))
    .map(([binary = "", flow = ""]) => ({ binary, flow }))
    .filter(({ binary }) => binaries.some((one) => drawnName(one.binary) === binary && isAlive(one)));
}

/** As text, so that a frame of figures that changes nothing here renders nothing. */
const loadable = (): string =>
  [...allTracks()]
    .flatMap(({ binary, schema }) =>
      schema ? loadableFlows(schema).map((name) => `${drawnName(binary)}/${name}`) : [],
    )
    .join(" ");
