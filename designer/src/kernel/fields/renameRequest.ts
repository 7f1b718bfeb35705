import { documentStore } from "../document/index.js";

/** Asks the name field of a thing for the focus; the field listens while it is shown. */
const RENAME = "penstock:rename";

/** What no field has taken yet: its view is still on its way. */
let wanted: string | undefined;

export function startRename(ref: string): void {
  wanted = ref;
  window.dispatchEvent(new CustomEvent<string>(RENAME, { detail: ref }));
}

// Somebody has gone on to another thing: its field does not take the cursor when it is shown some day.
documentStore.subscribe(({ selection }) => {
  if (wanted !== undefined && !selection.includes(wanted)) wanted = undefined;
});

/** Calls `focus` whenever somebody asks, or has just asked, to rename the thing `ref` names; returns the undo. */
export function onRenameRequest(ref: string, focus: () => void): () => void {
  const take = () => {
    wanted = undefined;
    focus();
  };
  const listen = (event: Event) => {
    if (event instanceof CustomEvent && event.detail === ref) take();
  };
  window.addEventListener(RENAME, listen);
  if (wanted === ref) take();
  return () => window.removeEventListener(RENAME, listen);
}
