import { useState } from "react";
import { Input } from "./Input.js";
import { readNumber } from "./readNumber.js";

export interface NumberFieldProps {
  value: number | undefined;
  /** On Enter or blur, and only with a number in range (or undefined when the field was emptied). */
  onChange: (value: number | undefined) => void;
  min?: number;
  max?: number;
  unit?: string;
  /** Accessible name. */
  label: string;
  placeholder?: string;
  /** Fractions allowed. */
  fractions?: boolean;
  disabled?: boolean;
  id?: string;
}

/** A number box with its range check; no steppers. Out of range says the range and keeps the old value. */
export function NumberField({
  value,
  onChange,
  min,
  max,
  unit,
  label,
  placeholder,
  fractions,
  disabled,
  id,
}: NumberFieldProps) {
  const [error, setError] = useState<string>();
  return (
    <Input
      mono
      inputMode={fractions ? "decimal" : "numeric"}
      aria-label={label}
      value={value === undefined ? "" : String(value)}
      placeholder={placeholder}
      disabled={disabled}
      id={id}
      unit={unit}
      error={error}
      onChange={(event) => setError(readNumber(event.target.value, { min, max, fractions }).error)}
      onReset={() => setError(undefined)}
      onCommit={(text) => {
        const read = readNumber(text, { min, max, fractions });
        // It stays until something else is typed: the old value is back, and that is why.
        setError(read.error);
        if (!read.error) onChange(read.value);
      }}
    />
  );
}
