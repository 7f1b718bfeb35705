import { createHash } from "node:crypto";

/** Names the content of a project's drawing: both files, byte by byte. */
export function revisionOf(topology: string | Uint8Array, layout: string | Uint8Array | null): string {
  const hash = createHash("sha256").update(topology).update("\0");
  if (layout !== null) hash.update(layout);
  return hash.digest("hex").slice(0, 32);
}
