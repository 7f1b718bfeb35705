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
  /** It cannot be emptied. */
  required?: boolean;
  /** What is wrong with the value that is there. */
  error?: string | undefined;
  /** Called with why what is typed is not taken, and with undefined once that is over. */
  onFault?: ((fault: string | undefined) => void) | undefined;
  disabled?: boolean;
  id?: string;
}

/** A number box with its range check; no steppers. What is out of range stays as it is typed, says the range and is not taken. */
export function NumberField({
  value,
  onChange,
  min,
  max,
  unit,
  label,
  placeholder,
  fractions,
  required,
  error,
  onFault,
  disabled,
  id,
}: NumberFieldProps) {
  const read = (text: string) => readNumber(text, { min, max, fractions, required });
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
      faultOf={(text) => read(text).error}
      onFault={onFault}
      onCommit={(text) => onChange(read(text).value)}
    />
  );
}
