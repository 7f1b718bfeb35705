/** Waits until `condition` gives something truthy; fails with `what` after `withinMs`. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 120_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value) return value as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
