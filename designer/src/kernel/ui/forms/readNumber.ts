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
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range;
  if (value < min || value > max) {
    const limits =
      range.min === undefined
        ? `at most ${max}`
        : range.max === undefined
          ? `at least ${min}`
          : `${min} to ${max}`;
    return { value: undefined, error: `Must be ${limits}` };
  }
  return { value };
}
