import { createStore } from "zustand/vanilla";

export type ToastTone = "info" | "ok" | "warn" | "bad";
export interface ToastOptions {
  tone?: ToastTone;
  /** A second line with details. */
  body?: string;
  /** What it tells of: it takes the place of what was said of that before. Its title where nothing is named. */
  about?: string;
  action?: { label: string; onSelect: () => void };
  /** Milliseconds; errors stay until closed. */
  lasts?: number;
}
interface Toast extends ToastOptions {
  id: number;
  title: string;
}

/** Those that are shown. */
export const toasts = createStore<{ list: Toast[] }>(() => ({ list: [] }));
let nextId = 1;

export const dismissToast = (id: number): void =>
  toasts.setState(({ list }) => ({ list: list.filter((toast) => toast.id !== id) }));

/** What was said of one project is no word on the next. */
export const dismissToasts = (): void => toasts.setState({ list: [] });

/** Shows a short message for a while. The same words twice replace each other: no floods. */
export function toast(title: string, options: ToastOptions = {}): number {
  const id = nextId++;
  const { about = title } = options;
  toasts.setState(({ list }) => ({
    list: [
      ...list.filter((other) => (other.about ?? other.title) !== about).slice(-3),
      { ...options, id, title },
    ],
  }));
  const lasts = options.lasts ?? (options.tone === "bad" ? 0 : 5000);
  if (lasts > 0) setTimeout(() => dismissToast(id), lasts);
  return id;
}
