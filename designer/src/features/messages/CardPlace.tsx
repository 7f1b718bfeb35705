import { useEffect, useRef, useState, type ReactNode } from "react";
import { useDocument, useWorkbench } from "../../kernel/document/index.js";
import { DraftOwner } from "../../kernel/ui/forms/useDraft.js";

/** Of a card without rows, and of a row, in CSS pixels: about as much as they are once they are drawn. */
const CARD = 102;
const ROW = 30;

export interface CardPlaceProps {
  nodeRef: string;
  /** As that of its card. */
  label: string;
  name: string;
  /** Lines of its card besides those that each has. */
  rows: number;
  /** Whether it is drawn wherever it is. */
  wanted: boolean;
  children: ReactNode;
}

/**
 * The place of a card, which is drawn once it is less than a screen from being seen, or is asked for, and stays drawn: of
 * hundreds of messages nobody looks at most. Until then it has the name, which the browser's search finds.
 */
export function CardPlace({ nodeRef, label, name, rows, wanted, children }: CardPlaceProps) {
  const place = useRef<HTMLElement>(null);
  const focused = useRef(false);
  const selected = useDocument((state) => state.selection.includes(nodeRef));
  const revealed = useWorkbench((state) => state.revealed === nodeRef);
  const [near, setNear] = useState(false);
  const asked = wanted || selected || revealed;
  if (asked && !near) setNear(true);
  const drawn = near || asked;
  useEffect(() => {
    if (drawn || !place.current) return;
    const watch = new IntersectionObserver(
      (entries) => setNear(entries.some((entry) => entry.isIntersecting)),
      { root: place.current.parentElement?.parentElement ?? null, rootMargin: "100%" },
    );
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [drawn]);
  useEffect(() => {
    if (!drawn || !focused.current) return;
    focused.current = false;
    document.querySelector<HTMLElement>(`[data-ref="${CSS.escape(nodeRef)}"] .name-input`)?.focus();
  }, [drawn, nodeRef]);
  if (drawn) return <DraftOwner value={nodeRef}>{children}</DraftOwner>;
  return (
    <section
      ref={place}
      className="message-card message-place"
      aria-label={label}
      data-ref={nodeRef}
      tabIndex={0}
      style={{ height: CARD + ROW * rows }}
      onFocus={() => {
        focused.current = true;
        setNear(true);
      }}
    >
      {name}
    </section>
  );
}
