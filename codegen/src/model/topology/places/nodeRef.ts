/**
 * Names a thing that is drawn: `service:GetAd`, `flow:Impressions` (its source), `stage:Impressions/log`,
 * `bundle:AdBundle`, `binary:ads-server`, `pool:ads-server/front`, `message:Ad`, `enum:Tier`.
 * Used by problems, layout and live figures alike.
 */
export const NODE_KINDS = [
  "service",
  "flow",
  "stage",
  "bundle",
  "binary",
  "pool",
  "message",
  "enum",
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];
export type NodeRef = `${NodeKind}:${string}`;

export const nodeRef = (kind: NodeKind, ...path: string[]): NodeRef => `${kind}:${path.join("/")}`;

/** Splits a reference into its kind and path; undefined when it is not one. */
export function parseNodeRef(ref: string): { kind: NodeKind; path: string[] } | undefined {
  const colon = ref.indexOf(":");
  const kind = NODE_KINDS.find((known) => known === ref.slice(0, colon));
  return colon < 0 || kind === undefined ? undefined : { kind, path: ref.slice(colon + 1).split("/") };
}
