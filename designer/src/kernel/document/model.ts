import type { Layout, Topology } from "@penstock/codegen/topology";
import type { Rename } from "@penstock/codegen/contract";
import type { NameChange } from "./nameChange.js";

/** What undo moves through: the meaning and the looks, always together. Immutable. */
export interface DocumentModel {
  readonly topology: Topology;
  readonly layout: Layout;
}

/**
 * One pure step on the model. Returning the same model (by identity) means "nothing to do" and
 * leaves no entry in the history.
 */
export type Edit = (model: DocumentModel) => DocumentModel;

/** How an edit is recorded. */
export interface EditOptions {
  /** Edits with the same key within COALESCE_MS become one undo step (typing, nudging). */
  coalesce?: string;
  /** What the edit renames, so that the user's files follow on the next save. */
  renames?: readonly Rename[];
  /** All that the edit renames, so that figures of what runs under the old names can follow. */
  names?: readonly NameChange[];
  /** Selection after the edit; kept out of the history. */
  select?: readonly string[];
}

export const withTopology = (model: DocumentModel, topology: Topology): DocumentModel =>
  topology === model.topology ? model : { ...model, topology };

export const withLayout = (model: DocumentModel, layout: Layout): DocumentModel =>
  layout === model.layout ? model : { ...model, layout };

/** `object` with `patch` laid over it; a key patched with `undefined` is removed. */
export function patched<T extends object>(object: T, patch: { [K in keyof T]?: T[K] | undefined }): T {
  const next = { ...object } as Record<string, unknown>;
  let changed = false;
  for (const [key, value] of Object.entries(patch)) {
    if (next[key] === value) continue;
    changed = true;
    if (value === undefined) delete next[key];
    else next[key] = value;
  }
  return changed ? (next as T) : object;
}

/** `list` with the elements that `match` replaced by `change` of them; the same list when none changed. */
export function replaced<T>(list: T[], match: (item: T) => boolean, change: (item: T) => T): T[] {
  let changed = false;
  const next = list.map((item) => {
    if (!match(item)) return item;
    const other = change(item);
    changed ||= other !== item;
    return other;
  });
  return changed ? next : list;
}

/** `base`, or `base2`, `base3`, ... whichever no name in `taken` equals without regard to case. */
export function freshName(base: string, taken: Iterable<string>): string {
  const lower = new Set([...taken].map((name) => name.toLowerCase()));
  if (!lower.has(base.toLowerCase())) return base;
  const stem = base.replace(/\d+$/, "") || base;
  for (let n = 2; ; n++) if (!lower.has(`${stem}${n}`.toLowerCase())) return `${stem}${n}`;
}
