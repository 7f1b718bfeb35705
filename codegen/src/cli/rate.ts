/** Per second between two totals; null without an earlier one, or when the binary was started anew. */
export function rate(now: number, before: number | undefined, seconds: number): number | null {
  if (before === undefined || seconds <= 0 || now < before) return null;
  return (now - before) / seconds;
}
