import { useStore } from "zustand";
import type { Mark } from "../../drawing/toCanvasNodes.js";
import { problemStore } from "./problemStore.js";

/** Nodes that something is wrong with, and how bad. */
export const useMarks = (): ReadonlyMap<string, Mark> => useStore(problemStore, (state) => state.marks);
