import { Check } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import { useId } from "react";

export interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  /** What it is called where the label says it only together with what stands around. */
  name?: string;
  disabled?: boolean;
}

export function Checkbox({ checked, onChange, label, name, disabled }: CheckboxProps) {
  const id = useId();
  return (
    <span className="checkbox-row">
      <Radix.Root
        id={id}
        className="checkbox"
        checked={checked}
        disabled={disabled}
        aria-label={name}
        onCheckedChange={(next) => onChange(next === true)}
      >
        <Radix.Indicator>
          <Check size={11} strokeWidth={3} />
        </Radix.Indicator>
      </Radix.Root>
      <label htmlFor={id}>{label}</label>
    </span>
  );
}
