import type { X509Certificate } from "node:crypto";

const DAY_MS = 86_400_000;

/** How long before they are made certificates are good already: clocks of hosts differ. */
export const MARGIN_MS = 10 * 60_000;

export const before = (date: Date, ms: number): Date => new Date(date.getTime() - ms);
export const after = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS);

/** The moment from which a certificate is good, and the one until which it is. */
export const beginOf = ({ validFrom }: X509Certificate): Date => new Date(validFrom);
export const endOf = ({ validTo }: X509Certificate): Date => new Date(validTo);

/** `2026-12-31` */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
