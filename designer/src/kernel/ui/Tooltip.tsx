import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

export interface TooltipProps {
  content: ReactNode;
  shortcut?: string;
  side?: "top" | "right" | "bottom" | "left";
  /** One element that takes a ref and pointer events. */
  children: ReactNode;
}

/** App holds the one provider, so that moving along a row of buttons shows the next tip at once. */
export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={450} skipDelayDuration={250}>
    {children}
  </Radix.Provider>
);

export function Tooltip({ content, shortcut, side = "bottom", children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="tooltip" side={side} sideOffset={6} collisionPadding={8}>
          {content}
          {shortcut ? <span className="kbd">{shortcut}</span> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
