import { nodeRef, parseNodeRef } from "@penstock/codegen/topology";

/** One rename of anything that is drawn: what it was called by, and its new name. */
export interface NameChange {
  readonly ref: string;
  readonly to: string;
}

/** `ref` after a rename: itself, what was renamed, or a thing inside that (the stages of a flow). */
export function renamedRef(ref: string, change: NameChange): string {
  const parsed = parseNodeRef(ref);
  const renamed = parseNodeRef(change.ref);
  if (!parsed || !renamed) return ref;
  const { kind, path } = renamed;
  const [first = ""] = path;
  if (parsed.kind === kind && parsed.path.join("/") === path.join("/"))
    return kind === "stage" || kind === "pool" ? nodeRef(kind, first, change.to) : nodeRef(kind, change.to);
  if (kind === "flow" && parsed.kind === "stage" && parsed.path[0] === first)
    return nodeRef("stage", change.to, ...parsed.path.slice(1));
  if (kind === "binary" && parsed.kind === "pool" && parsed.path[0] === first)
    return nodeRef("pool", change.to, ...parsed.path.slice(1));
  return ref;
}

/** `ref` after several renames, the first one first. */
export const followed = (ref: string, changes: readonly NameChange[]): string =>
  changes.reduce((name, change) => renamedRef(name, change), ref);

/** The same renames taken back, the last one first. */
export const takenBack = (changes: readonly NameChange[]): NameChange[] =>
  changes
    .map((change) => ({
      ref: renamedRef(change.ref, change),
      to: parseNodeRef(change.ref)?.path.at(-1) ?? change.to,
    }))
    .reverse();
