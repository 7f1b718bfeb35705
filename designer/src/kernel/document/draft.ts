import type { Rename } from "@penstock/codegen/contract";
import { layoutSchema, type Layout } from "@penstock/codegen/topology";

/** What could not be saved yet, kept in this browser so that closing the tab loses nothing. */
export interface Draft {
  topology: string;
  layout: Layout;
  /** The revision it was made from. */
  revision: string;
  savedAtMs: number;
  /** Renames not told to the server yet. */
  renames: readonly Rename[];
}

const TAB = "penstock.tab";
const freshId = (): string => Math.random().toString(36).slice(2);
const newTab = freshId();
/** This page alone: a tab that the browser has made of another has the other one's id. */
const page = freshId();

/** This tab, also after a reload: its page takes over what the page before it kept. */
function tabId(): string {
  const held = sessionStorage.getItem(TAB);
  if (held !== null) return held;
  sessionStorage.setItem(TAB, newTab);
  return newTab;
}

/** With the dot that no name of a project has: `ads` is not `ads_2`. */
const prefixOf = (projectId: string): string => `penstock.draft.${projectId}.`;
const tabKeyOf = (projectId: string): string => `${prefixOf(projectId)}${tabId()}`;
const keyOf = (projectId: string): string => `${tabKeyOf(projectId)}.${page}`;

/** Keeps a draft; false when the browser refuses (private mode, full). */
export function keepDraft(projectId: string, draft: Draft): boolean {
  try {
    localStorage.setItem(keyOf(projectId), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** This page's draft of a project, if there is one that can be read. */
export function readDraft(projectId: string): Draft | undefined {
  try {
    return parseDraft(localStorage.getItem(keyOf(projectId)));
  } catch {
    return undefined;
  }
}

function parseDraft(text: string | null): Draft | undefined {
  if (text === null) return undefined;
  try {
    const value = JSON.parse(text) as Partial<Draft>;
    const layout = layoutSchema.safeParse(value.layout);
    if (typeof value.topology !== "string" || typeof value.revision !== "string" || !layout.success) {
      return undefined;
    }
    return {
      topology: value.topology,
      revision: value.revision,
      layout: layout.data,
      savedAtMs: Number(value.savedAtMs ?? 0),
      renames: Array.isArray(value.renames) ? value.renames : [],
    };
  } catch {
    return undefined;
  }
}

/** Drops this page's draft; what other pages keep is theirs. */
export function dropDraft(projectId: string): void {
  try {
    localStorage.removeItem(keyOf(projectId));
  } catch {
    // A browser that keeps nothing has nothing to drop.
  }
}

const unreadKey = (projectId: string): string => `penstock.unread.${projectId}`;

/** Keeps this page's draft, if there is one, where no other takes its place: it cannot be read. */
export function setDraftAside(projectId: string): void {
  try {
    const text = localStorage.getItem(keyOf(projectId));
    if (text === null) return;
    localStorage.setItem(unreadKey(projectId), text);
    localStorage.removeItem(keyOf(projectId));
  } catch {
    // A browser that keeps nothing has nothing to set aside.
  }
}

/** What was drawn in a draft that could not be read: its topology, or all of it where none is found. */
export function unreadDraft(projectId: string): string | undefined {
  try {
    const text = localStorage.getItem(unreadKey(projectId)) ?? undefined;
    return parseDraft(text ?? null)?.topology ?? text;
  } catch {
    return undefined;
  }
}

export function dropUnread(projectId: string): void {
  try {
    localStorage.removeItem(unreadKey(projectId));
  } catch {
    // A browser that keeps nothing has nothing to drop.
  }
}

/**
 * Takes over the latest draft of this tab's pages, else of another tab, which may be closed for good, where this page
 * has none.
 */
export function adoptDraft(projectId: string): void {
  try {
    const key = keyOf(projectId);
    if (localStorage.getItem(key) !== null) return;
    const isOwn = (other: string) => Number(other.startsWith(tabKeyOf(projectId)));
    const drafts = Object.keys(localStorage)
      .filter((other) => other.startsWith(prefixOf(projectId)))
      .map((other) => ({ other, savedAtMs: parseDraft(localStorage.getItem(other))?.savedAtMs ?? 0 }))
      .sort((a, b) => isOwn(b.other) - isOwn(a.other) || b.savedAtMs - a.savedAtMs);
    const latest = drafts[0]?.other;
    const text = latest === undefined ? null : localStorage.getItem(latest);
    if (latest === undefined || text === null) return;
    localStorage.setItem(key, text);
    localStorage.removeItem(latest);
  } catch {
    // A browser that keeps nothing has nothing to take over.
  }
}
