import { Bell, CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useEffect } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { Button } from "./Button.js";
import { countToasts, dismissToast, putAwayOf, shownOf, toasts } from "./toast.js";

const ICONS = {
  info: <Info size={14} strokeWidth={1.75} color="var(--accent)" />,
  ok: <CircleCheck size={14} strokeWidth={1.75} color="var(--ok)" />,
  warn: <TriangleAlert size={14} strokeWidth={1.75} color="var(--warn)" />,
  bad: <CircleAlert size={14} strokeWidth={1.75} color="var(--bad)" />,
};

/** Mounted once by the App. */
export function Toasts() {
  const list = useStore(toasts, useShallow(shownOf));
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

/** How many messages were put away since they lay on something; pressed, they are all there until it is pressed again. */
export function PutAwayToasts({ className }: { className: string }) {
  useEffect(countToasts, []);
  const opened = useStore(toasts, (state) => state.opened);
  const away = useStore(toasts, useShallow(putAwayOf));
  if (away.length === 0) return null;
  return (
    <button
      type="button"
      className={className}
      data-tone={away.some(({ tone }) => tone === "bad") ? "bad" : "warn"}
      aria-expanded={opened}
      onClick={() => toasts.setState({ opened: !opened })}
    >
      <Bell size={13} strokeWidth={1.75} />
      {away.length} {away.length === 1 ? "message" : "messages"}
    </button>
  );
}
