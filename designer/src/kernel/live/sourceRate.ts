import { FASTEST_RATE } from "@penstock/codegen/topology";

/**
 * What a binary is told to keep to. A command always names a rate, so that no limit is the greatest one:
 * nobody reads lines as quickly, and none is held back.
 */
export const rateToAsk = (perSecond: number | null | undefined): number => perSecond ?? FASTEST_RATE;

/** `200/s`. */
export const rateWords = (perSecond: number | null | undefined): string =>
  rateToAsk(perSecond) === FASTEST_RATE ? "no limit" : `${perSecond}/s`;
