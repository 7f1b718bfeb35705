import type { NameChange } from "../../document/nameChange.js";

/**
 * What was renamed in a project since a model of it was drawn, by the model's hash: a binary says by which hash
 * it was built, so its figures find what they belong to. Kept in the browser, for all its pages and later ones.
 */
const KEY = "penstock.renamed";
/** Of each project; of all together. Each drawing that is saved is one. */
const MODELS = 30;
const MODELS_OF_ALL = 300;
/** Nobody expects figures to follow further; what is no longer kept is matched by name alone. */
const MOST = 100;

type Since = Map<string, readonly NameChange[]>;

/** As it was read or written last. */
let since: Since | undefined;
/** It could not be written: what this page knows is all there is. */
let isUnkept = false;
/** Models that were asked for, the last one last: what runs is asked for all the time. */
const used = new Set<string>();

const keyOf = (project: string, topologyHash: string): string => `${project} ${topologyHash}`;
const projectOf = (key: string): string => key.slice(0, key.lastIndexOf(" "));

function read(): Since {
  if (isUnkept && since) return since;
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY) ?? "[]") as [string, NameChange[]][]);
  } catch {
    return since ?? new Map();
  }
}

/** Changes what is stored, in which other pages may have written since it was read here. */
function change(how: (stored: Since) => void): void {
  const stored = read();
  how(stored);
  since = new Map(bounded(stored));
  for (const key of used) if (!since.has(key)) used.delete(key);
  try {
    localStorage.setItem(KEY, JSON.stringify([...since]));
    isUnkept = false;
  } catch {
    // Known for as long as the page lives.
    isUnkept = true;
  }
}

/** Those that were used last of each project, in that order. */
function bounded(stored: Since): [string, readonly NameChange[]][] {
  const order = new Map([...used].map((key, at) => [key, at]));
  const rank = ([key]: [string, unknown]): number => order.get(key) ?? -1;
  const kept = new Map<string, number>();
  const fits = ([key]: [string, unknown]): boolean => {
    const count = (kept.get(projectOf(key)) ?? 0) + 1;
    kept.set(projectOf(key), count);
    return count <= MODELS;
  };
  const latestFirst = [...stored].toSorted((a, b) => rank(a) - rank(b)).toReversed();
  return latestFirst.filter(fits).slice(0, MODELS_OF_ALL).toReversed();
}

function use(key: string): void {
  used.delete(key);
  used.add(key);
}

/** Of a model that is not known yet its names as they are drawn now count, or what is left of them. */
export function renamedSince(project: string, topologyHash: string): readonly NameChange[] {
  if (topologyHash === "") return [];
  const key = keyOf(project, topologyHash);
  use(key);
  const known = (since ??= read()).get(key) ?? (since = read()).get(key);
  if (known === undefined) drawnIs(project, topologyHash);
  return known ?? [];
}

/** What is drawn is just this model: nothing has been renamed since. */
export function drawnIs(project: string, topologyHash: string): void {
  const key = keyOf(project, topologyHash);
  if (topologyHash === "" || (since ??= read()).get(key)?.length === 0) return;
  use(key);
  change((stored) => {
    stored.delete(key);
    stored.set(key, []);
  });
}

/** Adds renames of what is drawn in a project; every model of it that was drawn before is told of them. */
export function addRenames(project: string, changes: readonly NameChange[]): void {
  change((stored) => {
    for (const [key, before] of stored) {
      if (projectOf(key) !== project) continue;
      if (before.length + changes.length > MOST) stored.delete(key);
      else stored.set(key, [...before, ...changes]);
    }
  });
}

/** `then` is called when another page has renamed something. Returns how to stop. */
export function onOtherRenames(then: () => void): () => void {
  const hear = ({ key }: StorageEvent): void => {
    if (key !== KEY) return;
    if (!isUnkept) since = undefined;
    then();
  };
  addEventListener("storage", hear);
  return () => removeEventListener("storage", hear);
}
