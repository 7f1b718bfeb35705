import type { NameChange } from "../../document/nameChange.js";

/**
 * What was renamed in a project since a model of it was drawn, by the model's hash: a binary says by which hash
 * it was built, so its figures find what they belong to. Kept in the browser, for a page that is opened later.
 */
const KEY = "penstock.renamed";
const MODELS = 30;
/** Nobody expects figures to follow further; what is no longer kept is matched by name alone. */
const MOST = 100;

let since: Map<string, readonly NameChange[]> | undefined;

function read(): Map<string, readonly NameChange[]> {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY) ?? "[]") as [string, NameChange[]][]);
  } catch {
    return new Map();
  }
}

function keep(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...(since ?? [])].slice(-MODELS)));
  } catch {
    // Known for as long as the page lives.
  }
}

const keyOf = (project: string, topologyHash: string): string => `${project} ${topologyHash}`;

/** Of a model that is not known yet its names as they are drawn now count, or what is left of them. */
export function renamedSince(project: string, topologyHash: string): readonly NameChange[] {
  const known = (since ??= read()).get(keyOf(project, topologyHash));
  if (known === undefined) drawnIs(project, topologyHash);
  return known ?? [];
}

/** What is drawn is just this model: nothing has been renamed since. */
export function drawnIs(project: string, topologyHash: string): void {
  const key = keyOf(project, topologyHash);
  since ??= read();
  if (topologyHash === "" || since.get(key)?.length === 0) return;
  since.delete(key);
  since.set(key, []);
  keep();
}

/** Adds renames of what is drawn in a project; every model of it that was drawn before is told of them. */
export function addRenames(project: string, changes: readonly NameChange[]): void {
  for (const [key, before] of (since ??= read())) {
    if (!key.startsWith(`${project} `)) continue;
    if (before.length + changes.length > MOST) since.delete(key);
    else since.set(key, [...before, ...changes]);
  }
  keep();
}
