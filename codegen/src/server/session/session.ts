import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { LIMITS } from "../http/limits.js";

/** A fresh secret of `bytes` random bytes, as text. */
const makeSecret = (bytes: number): string => randomBytes(bytes).toString("base64url");

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Compares two secrets as strings in constant time. As strings: decoded base64url would let a
 * changed last character pass.
 */
const sameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

export type Exchange =
  { token: string } | { refused: "code" } | { refused: "limit"; retryAfterSeconds: number };

/**
 * The one token of this run of the server and the one-time codes that are exchanged for it.
 * Codes live ten minutes and are used up by their first use; wrong ones are counted, ten a minute, and never stand in the way of a right one.
 */
export class Session {
  private readonly token = makeSecret(32);
  private codes: { code: string; validUntil: number }[] = [];
  private wrongAt: number[] = [];

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Only for the token file of the command line; never logged or sent elsewhere. */
  tokenForFile(): string {
    return this.token;
  }

  accepts(token: string): boolean {
    return sameSecret(token, this.token);
  }

  makeCode(): string {
    const now = this.now();
    // A hundred open codes are plenty; the oldest go first.
    this.codes = this.codes.filter((entry) => entry.validUntil > now).slice(-99);
    const code = makeSecret(16);
    this.codes.push({ code, validUntil: now + LIMITS.codeLifetimeMs });
    return code;
  }

  /** Those that nobody has used yet. */
  openCodes(): string[] {
    return this.codes.map(({ code }) => code);
  }

  exchange(code: string): Exchange {
    const now = this.now();
    const matching = this.codes.filter((entry) => sameSecret(entry.code, code));
    this.codes = this.codes.filter((entry) => !matching.includes(entry));
    // Whatever was tried before: else any program of this machine locks the owner out by trying. Nobody
    // guesses 16 random bytes.
    if (matching.some((entry) => entry.validUntil > now)) return { token: this.token };
    this.wrongAt = this.wrongAt.filter((at) => at > now - 60_000);
    const oldest = this.wrongAt[0];
    if (oldest !== undefined && this.wrongAt.length >= LIMITS.wrongCodesPerMinute) {
      return { refused: "limit", retryAfterSeconds: Math.max(1, Math.ceil((oldest + 60_000 - now) / 1000)) };
    }
    this.wrongAt.push(now);
    return { refused: "code" };
  }
}
