import { createStore } from "zustand/vanilla";

export type ToastTone = "info" | "ok" | "warn" | "bad";
export interface ToastOptions {
  tone?: ToastTone;
  /** A second line with details. */
  body?: string;
  /** What it tells of: it takes the place of what was said of that before. Its title where nothing is named. */
  about?: string;
  action?: { label: string; onSelect: () => void };
  /** Milliseconds until it is gone; errors, and with 0 all else, are kept until closed. */
  lasts?: number;
}
interface Toast extends ToastOptions {
  id: number;
  title: string;
  /** It has been there for long enough to be read: what is kept makes room for what it lies on. */
  read: boolean;
}

export interface Said {
  list: readonly Toast[];
  /** How many places show how much is put away; while there is none nothing is. */
  counters: number;
  /** Somebody asked for what was put away. */
  opened: boolean;
}

/** What was said and is not over. */
export const toasts = createStore<Said>(() => ({ list: [], counters: 0, opened: false }));
let nextId = 1;

/** What is kept lies on the page until it was there for so long; then it is counted in the status bar. */
export const READ_MS = 20_000;
/** How often one looks whether it is still pointed at. */
const HELD_MS = 2000;
/** Of what goes by itself, so many at once; and so much is kept. */
const MOST_SHOWN = 4;
const MOST_KEPT = 20;

/** What lies on the page. */
export const shownOf = ({ list, counters, opened }: Said): readonly Toast[] =>
  counters === 0 || opened ? list : list.filter(({ read }) => !read);

/** What can be read again. */
export const putAwayOf = ({ list }: Said): readonly Toast[] => list.filter(({ read }) => read);

const setList = (change: (list: readonly Toast[]) => readonly Toast[]): void =>
  toasts.setState((state) => {
    const list = change(state.list);
    return { list, opened: state.opened && list.some(({ read }) => read) };
  });

export const dismissToast = (id: number): void => setList((list) => list.filter((toast) => toast.id !== id));

/** What was said of one project is no word on the next. */
export const dismissToasts = (): void => setList(() => []);

/** Says that somebody shows how much is put away. Returns how to stop. */
export function countToasts(): () => void {
  toasts.setState(({ counters }) => ({ counters: counters + 1 }));
  return () => toasts.setState(({ counters }) => ({ counters: counters - 1 }));
}

const isKept = ({ tone, lasts }: ToastOptions): boolean => (lasts ?? (tone === "bad" ? 0 : 5000)) === 0;

/** They are pointed at, or one of their buttons has the focus. */
const areHeld = (): boolean => {
  const shown = globalThis.document?.querySelector(".toasts");
  return shown?.matches(":hover") === true || shown?.contains(document.activeElement) === true;
};

/** Nobody reads in a tab that is not looked at, and who points at a message may still read it. */
function putAwayOnceRead(id: number, after = READ_MS): void {
  setTimeout(() => {
    if (globalThis.document?.hidden)
      document.addEventListener("visibilitychange", () => putAwayOnceRead(id), { once: true });
    else if (areHeld()) putAwayOnceRead(id, HELD_MS);
    else setList((list) => list.map((toast) => (toast.id === id ? { ...toast, read: true } : toast)));
  }, after);
}

/** Beside a new one only so many: older ones go, or are put away. */
function withRoom(list: readonly Toast[]): readonly Toast[] {
  const shown = list.filter(({ read }) => !read).slice(1 - MOST_SHOWN);
  const left = list.filter((toast) => shown.includes(toast) || isKept(toast));
  const kept = left.filter(isKept).slice(1 - MOST_KEPT);
  return left
    .filter((toast) => !isKept(toast) || kept.includes(toast))
    .map((toast) => (shown.includes(toast) || toast.read ? toast : { ...toast, read: true }));
}

/** Shows a short message for a while. The same words twice replace each other: no floods. */
export function toast(title: string, options: ToastOptions = {}): number {
  const id = nextId++;
  const { about = title } = options;
  setList((list) => [
    ...withRoom(list.filter((other) => (other.about ?? other.title) !== about)),
    { ...options, id, title, read: false },
  ]);
  if (isKept(options)) putAwayOnceRead(id);
  else setTimeout(() => dismissToast(id), options.lasts ?? 5000);
  return id;
}
