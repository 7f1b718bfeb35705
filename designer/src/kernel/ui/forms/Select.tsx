import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

export interface SelectOption<V extends string = string> {
  value: V;
  label: string;
  icon?: ReactNode;
  /** CSS colour of a swatch before the label (pools). */
  swatch?: string;
  disabled?: boolean;
}
export interface SelectProps<V extends string = string> {
  value: V | "";
  onChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  /** Accessible name. */
  label: string;
  placeholder?: string;
  mono?: boolean;
  disabled?: boolean;
  id?: string;
}

/**
 * The browser's own select, so that keyboard, touch and screen readers behave as people know it
 * and no script-made style sheet is needed (the page's policy refuses those).
 */
export function Select<V extends string>({
  value,
  onChange,
  options,
  label,
  placeholder,
  mono,
  disabled,
  id,
}: SelectProps<V>) {
  const swatch = options.find((option) => option.value === value)?.swatch;
  return (
    <div className="select" data-mono={mono ?? false} data-swatch={Boolean(swatch)}>
      {swatch ? <span className="select-swatch" style={{ background: swatch }} /> : null}
      <select
        id={id}
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value as V)}
      >
        {placeholder !== undefined && value === "" ? (
          <option value="" disabled>
            {placeholder}
          </option>
        ) : null}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.swatch ? <span className="swatch" style={{ background: option.swatch }} /> : option.icon}
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown size={14} strokeWidth={1.75} aria-hidden />
    </div>
  );
}
