import { Checkbox, Field } from "../../../kernel/ui/index.js";
import type { Tick } from "./stageTicks.js";

export interface TickFieldProps {
  label: string;
  ticks: readonly Tick[];
  /** Whether the last one that is ticked stays so. */
  keepOne?: boolean;
  onChange: (names: string[]) => void;
}

/** A property that is some of a few names: a tick box for each. */
export function TickField({ label, ticks, keepOne = false, onChange }: TickFieldProps) {
  const only = keepOne && ticks.filter(({ ticked }) => ticked).length === 1;
  return (
    <Field label={label}>
      <span className="ticks">
        {ticks.map(({ name, ticked, fault }) => (
          <Checkbox
            key={name}
            label={fault === undefined ? name : `${name} (${fault})`}
            name={`${label} ${name}`}
            checked={ticked}
            disabled={only && ticked}
            onChange={(on) =>
              onChange(
                ticks.filter((tick) => (tick.name === name ? on : tick.ticked)).map((tick) => tick.name),
              )
            }
          />
        ))}
      </span>
    </Field>
  );
}
