import { createHash } from "node:crypto";

/** SHA-256 in hex. */
export const contentHash = (data: string | Uint8Array): string =>
  createHash("sha256").update(data).digest("hex");
