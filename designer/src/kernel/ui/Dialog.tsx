import { X } from "lucide-react";
import { useEffect, useId, useRef, type ReactNode } from "react";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  width?: number;
}

/** The first field, else the first button below: not the cross, which the browser would choose. */
function focusFirst(dialog: HTMLDialogElement): void {
  const field = dialog.querySelector<HTMLInputElement>(".dialog-body input:not(:disabled)");
  if (field) {
    field.focus();
    field.select();
  } else dialog.querySelector<HTMLButtonElement>(".dialog-foot button:not(:disabled)")?.focus();
}

/** A modal on the browser's own dialog element: focus trap, Escape and top layer come with it. */
export function Dialog({ open, onOpenChange, title, children, footer, width }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    if (open && !dialog.open) {
      dialog.showModal();
      focusFirst(dialog);
    }
    if (!open && dialog.open) dialog.close();
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={element}
      className="dialog"
      aria-labelledby={titleId}
      style={width ? { width } : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onOpenChange(false);
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        if (event.target === element.current) onOpenChange(false);
      }}
    >
      <div className="dialog-head">
        <span id={titleId}>{title}</span>
        <button
          type="button"
          className="icon-btn icon-btn-sm"
          aria-label="Close"
          onClick={() => onOpenChange(false)}
        >
          <X size={14} strokeWidth={1.75} />
        </button>
      </div>
      <div className="dialog-body">{children}</div>
      {footer ? <div className="dialog-foot">{footer}</div> : null}
    </dialog>
  );
}
