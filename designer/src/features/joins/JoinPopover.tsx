import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { closePopup, type CanvasPopup } from "../../registry/popups.js";
import { useDocument } from "../../kernel/document/index.js";
import { IconButton } from "../../kernel/ui/index.js";
import { JoinForm } from "./JoinForm.js";

const FOCUSABLE = "input:not(:disabled), select:not(:disabled), button:not(:disabled)";

/** The join of a slot at the slot: the focus stays within until Escape or a press outside. */
export function JoinPopover({ popup: { flow, stage } }: { popup: Extract<CanvasPopup, { kind: "join" }> }) {
  const service = useDocument(
    (state) =>
      state.topology.flows.find(({ name }) => name === flow)?.stages.find(({ id }) => id === stage)?.service,
  );
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.querySelector<HTMLElement>("input:checked")?.focus(), []);

  const keepInside = (event: React.KeyboardEvent) => {
    event.stopPropagation();
    if (event.key !== "Tab") return;
    const all = [...(panel.current?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].filter(
      // Of a group of radio buttons only the chosen one is in the order of Tab.
      (element) => !(element instanceof HTMLInputElement && element.type === "radio" && !element.checked),
    );
    const edge = event.shiftKey ? all[0] : all.at(-1);
    if (document.activeElement !== edge) return;
    event.preventDefault();
    (event.shiftKey ? all.at(-1) : all[0])?.focus();
  };
  return (
    <div
      ref={panel}
      className="join-panel"
      role="dialog"
      aria-label={`Join before ${service ?? stage}`}
      onKeyDown={keepInside}
    >
      <div className="join-panel-head">
        <span>Before {service ?? stage}</span>
        <IconButton label="Close" size="sm" icon={<X size={14} strokeWidth={1.75} />} onClick={closePopup} />
      </div>
      <JoinForm flow={flow} stage={stage} onDone={closePopup} />
    </div>
  );
}
