/** Asks the name field of a thing for the focus; the field listens while it is shown. */
const RENAME = "penstock:rename";

export const startRename = (ref: string): void =>
  void window.dispatchEvent(new CustomEvent<string>(RENAME, { detail: ref }));

/** Calls `focus` whenever somebody asks to rename the thing `ref` names; returns the undo. */
export function onRenameRequest(ref: string, focus: () => void): () => void {
  const listen = (event: Event) => {
    if (event instanceof CustomEvent && event.detail === ref) focus();
  };
  window.addEventListener(RENAME, listen);
  return () => window.removeEventListener(RENAME, listen);
}
