import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A fresh secret of `bytes` random bytes, as text. */
export const makeSecret = (bytes: number): string => randomBytes(bytes).toString("base64url");

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Compares two secrets as strings in constant time. As strings: decoded base64url would let a
 * changed last character pass.
 */
export const sameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
