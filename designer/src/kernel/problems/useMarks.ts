import { useStore } from "zustand";
import { problemStore, type Mark } from "./problemStore.js";

/** Nodes that something is wrong with, and how bad. */
export const useMarks = (): ReadonlyMap<string, Mark> => useStore(problemStore, (state) => state.marks);
