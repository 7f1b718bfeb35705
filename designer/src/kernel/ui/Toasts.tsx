import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useStore } from "zustand";
import { Button } from "./Button.js";
import { dismissToast, toasts } from "./toast.js";

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
