import type { Mark } from "../../kernel/problems/problemStore.js";
import type { TreeRow } from "./tree.js";
import { createStore } from "zustand/vanilla";
import { openLeft } from "../../registry/frameStore.js";

/** What `is:` and `has:` words are answered from. */
export interface SearchFacts {
  unwritten: ReadonlySet<string>;
  marks: ReadonlyMap<string, Mark>;
  /** Services in a pool that work waits for right now. */
  blocked: ReadonlySet<string>;
}
type Found = Pick<TreeRow, "label" | "ref" | "service">;

/** The search words that stand for a state, for the hint under the field. */
export const STATE_WORDS = ["is:unwritten", "is:error", "is:warning", "is:blocked"] as const;

/** A predicate for the tree; undefined when nothing is searched. All words must hold. */
export function searchFor(query: string, facts: SearchFacts): ((row: Found) => boolean) | undefined {
  const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const markOf = (row: Found) =>
    facts.marks.get(row.ref) ??
    (row.service === undefined ? undefined : facts.marks.get(`service:${row.service}`));
  return (row) =>
    words.every((word) => {
      if (word === "is:unwritten") return row.service !== undefined && facts.unwritten.has(row.service);
      if (word === "is:blocked") return row.service !== undefined && facts.blocked.has(row.service);
      if (word === "is:error") return markOf(row) === "error";
      if (word === "is:warning") return markOf(row) === "warning";
      return row.label.toLowerCase().includes(word);
    });
}

/** Where Enter in the search field goes: to what is called so, or the first that was found, then to the next. */
export function nextFound(
  found: readonly TreeRow[],
  query: string,
  selection: readonly string[],
): TreeRow | undefined {
  const at = found.findIndex((row) => selection.includes(row.ref));
  if (at >= 0) return found[(at + 1) % found.length];
  const name = query.trim().toLowerCase();
  return found.find((row) => row.label.toLowerCase() === name) ?? found[0];
}

/** Whether somebody wants to type into the search field, which may have to be shown first. */
export const findStore = createStore<{ wanted: boolean }>(() => ({ wanted: false }));

export function find(): void {
  openLeft();
  findStore.setState({ wanted: true });
}
