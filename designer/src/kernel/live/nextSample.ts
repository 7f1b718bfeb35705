import type { LiveSample } from "@penstock/codegen/contract";

const waiting = new Map<string, Set<(sample: LiveSample | null) => void>>();

/** The next sample of a binary, by the name that it runs by, as it came; null when it has stopped. */
export const nextSample = (binary: string): Promise<LiveSample | null> =>
  new Promise((resolve) => {
    const those = waiting.get(binary) ?? new Set();
    waiting.set(binary, those.add(resolve));
  });

/** Tells whoever waits for a sample of a binary; null: there will be none. */
export function tellSample(binary: string, sample: LiveSample | null): void {
  const those = waiting.get(binary);
  if (!those) return;
  waiting.delete(binary);
  for (const take of those) take(sample);
}
