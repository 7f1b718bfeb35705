import { createStore } from "zustand/vanilla";

const KEY = "penstock.startWith";

const stored = (): Record<string, string> => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
};

/** The preset that Run starts with, by project; of this browser, not of the drawing. */
export const startPresetStore = createStore<{ byProject: Readonly<Record<string, string>> }>(() => ({
  byProject: stored(),
}));

/** Chooses what Run starts with; "" for as drawn. */
export function startWith(project: string, preset: string): void {
  const { [project]: _, ...others } = startPresetStore.getState().byProject;
  const byProject = preset === "" ? others : { ...others, [project]: preset };
  startPresetStore.setState({ byProject });
  try {
    localStorage.setItem(KEY, JSON.stringify(byProject));
  } catch {
    // Known for as long as the page lives.
  }
}
