/** What is drawn as a node has a node reference for an id; these are the ids of what is drawn as a line. */
export const callEdgeId = (from: string, to: string): string => `call:${from}>${to}`;
export const linkEdgeId = (flow: string, stage: string, extraPredecessor?: string): string =>
  `link:${flow}/${stage}${extraPredecessor === undefined ? "" : `<${extraPredecessor}`}`;
export const catchEdgeId = (flow: string, stage: string): string => `catch:${flow}/${stage}`;

type EdgeRef =
  | { kind: "call"; from: string; to: string }
  | { kind: "link" | "catch"; flow: string; stage: string; predecessor: string | undefined };

/** What an edge id names; undefined when it is no edge id. */
export function parseEdgeId(id: string): EdgeRef | undefined {
  const call = /^call:([^>]+)>(.+)$/.exec(id);
  if (call?.[1] && call[2]) return { kind: "call", from: call[1], to: call[2] };
  const link = /^(link|catch):([^/]+)\/([^<]+)(?:<(.+))?$/.exec(id);
  if (link?.[2] && link[3])
    return { kind: link[1] as "link" | "catch", flow: link[2], stage: link[3], predecessor: link[4] };
  return undefined;
}
