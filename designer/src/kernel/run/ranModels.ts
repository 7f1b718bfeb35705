import { createStore } from "zustand/vanilla";

/**
 * Which structures are known to have run, by topology hash: kept in the browser, so that a page
 * opened later still tells a live change from one that needs a build.
 */
const KEY = "penstock.ran";
const KEPT = 50;

/** A short stand-in for a long text (FNV-1a, two lanes): only ever compared with its like. */
export function digest(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b + code, 0x85ebca6b) ^ (b >>> 13);
  }
  return `${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}-${text.length}`;
}

function read(): Map<string, string> {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY) ?? "[]") as [string, string][]);
  } catch {
    return new Map();
  }
}

/** By topology hash, the digest of what has run. */
export const ranStore = createStore<{ ran: ReadonlyMap<string, string> }>(() => ({ ran: read() }));

export const structureThatRan = (topologyHash: string): string | undefined =>
  ranStore.getState().ran.get(topologyHash);

export function rememberRan(topologyHash: string, structure: string): void {
  const { ran: before } = ranStore.getState();
  if (before.has(topologyHash)) return;
  const ran = new Map(before).set(topologyHash, digest(structure));
  ranStore.setState({ ran });
  try {
    localStorage.setItem(KEY, JSON.stringify([...ran].slice(-KEPT)));
  } catch {
    // Known for as long as the page lives.
  }
}
