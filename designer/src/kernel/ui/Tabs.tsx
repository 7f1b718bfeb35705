import { Tabs as Radix } from "radix-ui";
import { Badge, type BadgeTone } from "./Badge.js";

export interface TabItem<V extends string = string> {
  value: V;
  label: string;
  /** Shown behind the label; 0 shows nothing. */
  count?: number;
  tone?: BadgeTone;
}
export interface TabsProps<V extends string = string> {
  value: V;
  onChange: (value: V) => void;
  items: readonly TabItem<V>[];
  /** Accessible name of the row. */
  label: string;
  /** `segments`: the views of the top bar; `line`: the dock. */
  look?: "segments" | "line";
}

/** The row of tabs only; who uses it shows the panel of `value`. */
export function Tabs<V extends string>({ value, onChange, items, label, look = "line" }: TabsProps<V>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as V)} className="tabs-root">
      <Radix.List className={look === "segments" ? "segments" : "tabs"} aria-label={label}>
        {items.map((item) => (
          <Radix.Trigger
            key={item.value}
            value={item.value}
            className={look === "segments" ? "segment" : "tab"}
            // The panel lives elsewhere in the frame, so there is no element to point at.
            aria-controls={undefined}
          >
            {item.label}
            {item.count ? (
              <Badge round tone={item.tone ?? "neutral"}>
                {item.count}
              </Badge>
            ) : null}
          </Radix.Trigger>
        ))}
      </Radix.List>
    </Radix.Root>
  );
}
