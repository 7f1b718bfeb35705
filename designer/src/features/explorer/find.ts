import { createStore } from "zustand/vanilla";
import { openLeft } from "../../registry/frameStore.js";

/** Whether somebody wants to type into the search field, which may have to be shown first. */
export const findStore = createStore<{ wanted: boolean }>(() => ({ wanted: false }));

export function find(): void {
  openLeft();
  findStore.setState({ wanted: true });
}
