import type { Rename } from "@penstock/codegen/contract";
import type { DocumentModel, EditOptions } from "./model.js";
import { takenBack, type NameChange } from "./nameChange.js";

/** Edits with one key closer together than this are one step: a burst of typing, not a session. */
export const COALESCE_MS = 900;
/** Steps kept; each holds only what changed, because models share structure. */
export const HISTORY_LIMIT = 300;

/** One undo step: the model on the far side of it. */
export interface HistoryEntry {
  readonly label: string;
  readonly model: DocumentModel;
  readonly renames: readonly Rename[];
  readonly names: readonly NameChange[];
  readonly key: string | undefined;
  readonly atMs: number;
}

export interface History {
  readonly past: readonly HistoryEntry[];
  readonly future: readonly HistoryEntry[];
}

export const emptyHistory: History = { past: [], future: [] };

/** The history after an edit took `before` away; what was undone before it can no longer be redone. */
export function recorded(
  history: History,
  before: DocumentModel,
  label: string,
  atMs: number,
  options: EditOptions = {},
): History {
  const last = history.past.at(-1);
  const { renames = [], names = [] } = options;
  if (
    last &&
    options.coalesce !== undefined &&
    last.key === options.coalesce &&
    history.future.length === 0 &&
    atMs - last.atMs < COALESCE_MS
  ) {
    const merged = {
      ...last,
      atMs,
      renames: [...last.renames, ...renames],
      names: [...last.names, ...names],
    };
    return { past: [...history.past.slice(0, -1), merged], future: [] };
  }
  const entry: HistoryEntry = { label, model: before, renames, names, key: options.coalesce, atMs };
  return { past: [...history.past, entry].slice(-HISTORY_LIMIT), future: [] };
}

/** A rename undone is the rename the other way, last one first. */
export const inverted = (renames: readonly Rename[]): Rename[] =>
  renames.map((rename) => ({ ...rename, from: rename.to, to: rename.from })).reverse();

export interface HistoryStep {
  model: DocumentModel;
  history: History;
  renames: readonly Rename[];
  names: readonly NameChange[];
  label: string;
}

/** One step back from `current`; undefined when there is none. */
export function undone(history: History, current: DocumentModel): HistoryStep | undefined {
  const entry = history.past.at(-1);
  if (!entry) return undefined;
  return {
    model: entry.model,
    label: entry.label,
    renames: inverted(entry.renames),
    names: takenBack(entry.names),
    history: {
      past: history.past.slice(0, -1),
      future: [...history.future, { ...entry, model: current, key: undefined }],
    },
  };
}

/** One step forward again; undefined when nothing was undone. */
export function redone(history: History, current: DocumentModel): HistoryStep | undefined {
  const entry = history.future.at(-1);
  if (!entry) return undefined;
  return {
    model: entry.model,
    label: entry.label,
    renames: entry.renames,
    names: entry.names,
    history: {
      past: [...history.past, { ...entry, model: current, key: undefined }],
      future: history.future.slice(0, -1),
    },
  };
}

/** `pending` followed by `more`, a rename there and straight back leaving nothing. */
export function joinedRenames(pending: readonly Rename[], more: readonly Rename[]): Rename[] {
  const result = [...pending];
  for (const rename of more) {
    const last = result.at(-1);
    if (last && last.kind === rename.kind && last.to === rename.from) {
      if (last.from === rename.to) result.pop();
      else result[result.length - 1] = { ...last, to: rename.to };
    } else if (rename.from !== rename.to) result.push(rename);
  }
  return result;
}
