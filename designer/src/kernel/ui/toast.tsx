import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";
import { Button } from "./forms/Button.js";

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

const toasts = createStore<{ list: Toast[] }>(() => ({ list: [] }));
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

const ICONS = {
  info: <Info size={14} strokeWidth={1.75} color="var(--accent)" />,
  ok: <CircleCheck size={14} strokeWidth={1.75} color="var(--ok)" />,
  warn: <TriangleAlert size={14} strokeWidth={1.75} color="var(--warn)" />,
  bad: <CircleAlert size={14} strokeWidth={1.75} color="var(--bad)" />,
};

/** Mounted once by the App. */
export function Toasts() {
  const list = useStore(toasts, (state) => state.list);
  return (
    <div className="toasts" role="region" aria-label="Messages" aria-live="polite">
      {list.map((item) => (
        <div className="toast" key={item.id} role={item.tone === "bad" ? "alert" : "status"}>
          {ICONS[item.tone ?? "info"]}
          <span className="toast-title">{item.title}</span>
          <button
            type="button"
            className="icon-btn icon-btn-sm"
            aria-label="Dismiss"
            onClick={() => dismissToast(item.id)}
          >
            <X size={13} strokeWidth={1.75} />
          </button>
          {item.body ? <span className="toast-body">{item.body}</span> : null}
          {item.action ? (
            <span className="toast-action">
              <Button
                size="sm"
                onClick={() => {
                  item.action?.onSelect();
                  dismissToast(item.id);
                }}
              >
                {item.action.label}
              </Button>
            </span>
          ) : null}
        </div>
      ))}
    </div>
  );
}
