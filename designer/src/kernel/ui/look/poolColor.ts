/** Colours are categorical and go by the pool's place in its binary, so they stand still when values change. */
export const poolColor = (index: number): string =>
  index < 0 ? "var(--text-3)" : `var(--pool-${(index % 6) + 1})`;
