import { useStore } from "zustand";
import type { Mark } from "../canvas/toCanvasNodes.js";
import { problemStore } from "./problemStore.js";

/** Nodes that something is wrong with, and how bad. */
export const useMarks = (): ReadonlyMap<string, Mark> => useStore(problemStore, (state) => state.marks);
