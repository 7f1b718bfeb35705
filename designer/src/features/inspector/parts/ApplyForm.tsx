import type { ReactNode } from "react";
import { Button } from "../../../kernel/ui/index.js";

/** A field whose value counts once it is applied, by Enter or by the button; `differs` when there is something to apply. */
export function ApplyForm({
  differs,
  busy = false,
  onApply,
  children,
}: {
  differs: boolean;
  busy?: boolean;
  onApply: () => Promise<void>;
  children: ReactNode;
}) {
  return (
    <form
      className="apply-row"
      onSubmit={(event) => {
        event.preventDefault();
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        void onApply();
      }}
    >
      {children}
      <Button type="submit" variant={differs ? "primary" : "secondary"} disabled={busy}>
        Apply
      </Button>
    </form>
  );
}
