import { createStore } from "zustand/vanilla";
import type { BenchScale } from "./benchScale.js";

/** How the chart is looked at; null: as its figures ask for. */
export const benchStore = createStore<{ scale: BenchScale["kind"] | null }>(() => ({ scale: null }));
