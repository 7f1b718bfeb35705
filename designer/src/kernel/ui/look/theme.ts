import { createStore } from "zustand/vanilla";

export type Theme = "system" | "dark" | "light";
const KEY = "penstock.theme";

const stored = (): Theme => {
  try {
    const value = localStorage.getItem(KEY);
    return value === "dark" || value === "light" ? value : "system";
  } catch {
    return "system";
  }
};

export interface ThemeState {
  theme: Theme;
  /** Grows whenever the colours on the screen change: what paints by itself repaints. */
  epoch: number;
}
export const themeStore = createStore<ThemeState>(() => ({ theme: stored(), epoch: 0 }));

const apply = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  themeStore.setState(({ epoch }) => ({ theme, epoch: epoch + 1 }));
};

/** Sets and remembers the theme. */
export function setTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A browser that keeps nothing still gets the theme until it is closed.
  }
  apply(theme);
}

export const isDark = (): boolean => {
  const { theme } = themeStore.getState();
  return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
};

/** Called once before the first render. */
export function startTheme(): void {
  apply(stored());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
    apply(themeStore.getState().theme),
  );
}
