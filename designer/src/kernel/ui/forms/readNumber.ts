export interface NumberRange {
  min?: number | undefined;
  max?: number | undefined;
  fractions?: boolean | undefined;
  /** An empty field is no value either. */
  required?: boolean | undefined;
}

/** What a person typed as a number: its value, undefined for an empty field, or why it is refused. */
export function readNumber(text: string, range: NumberRange): { value: number | undefined; error?: string } {
  const trimmed = text.trim().replaceAll(/[\s_]/g, "");
  const wanted = range.fractions ? "a number" : "a whole number";
  if (trimmed === "") return { value: undefined, ...(range.required ? { error: `Type ${wanted}` } : {}) };
  const value = Number(trimmed);
  if (!Number.isFinite(value) || (!range.fractions && !Number.isInteger(value)))
    return { value: undefined, error: `Type ${wanted}` };
  // Beyond these a whole number is not the one that was typed, and no drawing has it.
  const most = range.fractions ? Number.POSITIVE_INFINITY : Number.MAX_SAFE_INTEGER;
  const { min = -most, max = most } = range;
  if (value < min || value > max) {
    const bounded = range.min !== undefined && range.max !== undefined;
    const limits = bounded ? `${min} to ${max}` : value > max ? `at most ${max}` : `at least ${min}`;
    return { value: undefined, error: `Must be ${limits}` };
  }
  return { value };
}
