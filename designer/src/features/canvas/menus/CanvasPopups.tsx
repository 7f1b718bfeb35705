import { useEffect, useLayoutEffect, useRef, useState, type ComponentType, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import { ContextMenuBody } from "./ContextMenuBody.js";
import { contributed } from "../../../registry/feature.js";
import { closePopup, popupStore, type CanvasPopup, type Point } from "../../../registry/popups.js";
import { QuickAdd } from "./QuickAdd.js";

/** The one pop-up of the canvas that is open. */
export function CanvasPopups() {
  const popup = useStore(popupStore, (state) => state.popup);
  useEffect(() => closePopup, []);
  if (popup.kind === "none") return null;
  return createPortal(
    <Floating key={`${popup.kind}${popup.at.x},${popup.at.y}`} at={popup.at}>
      <Contributed popup={popup} />
      {popup.kind === "context" ? <ContextMenuBody {...popup} /> : null}
      {popup.kind === "add" ? <QuickAdd popup={popup} /> : null}
    </Floating>,
    document.body,
  );
}

/** What features show of this kind. */
function Contributed({ popup }: { popup: CanvasPopup }) {
  return contributed("popups").map((popups, index) => {
    const Popup = popups[popup.kind] as ComponentType<{ popup: CanvasPopup }> | undefined;
    return Popup ? <Popup key={index} popup={popup} /> : null;
  });
}

/** Stands at a client point, inside the window; closes on Escape, on a press outside and on scroll. */
function Floating({ at, children }: { at: Point; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Point>(at);
  useLayoutEffect(() => {
    const box = element.current?.getBoundingClientRect();
    if (!box) return;
    setPlace({
      x: Math.max(8, Math.min(at.x, window.innerWidth - box.width - 8)),
      y: Math.max(8, Math.min(at.y, window.innerHeight - box.height - 8)),
    });
  }, [at]);
  useEffect(() => {
    const before = document.activeElement;
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !element.current?.contains(event.target)) closePopup();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      closePopup();
    };
    window.addEventListener("pointerdown", onPress, true);
    window.addEventListener("keydown", onKey, true);
    return () => {
      window.removeEventListener("pointerdown", onPress, true);
      window.removeEventListener("keydown", onKey, true);
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
  return (
    <div ref={element} className="floating" style={{ left: place.x, top: place.y }}>
      {children}
    </div>
  );
}
