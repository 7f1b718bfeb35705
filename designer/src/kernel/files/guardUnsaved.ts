import { unsavedFiles } from "./fileStore.js";

/** Lets the browser ask before it drops text of handlers, whatever is shown. Returns how to stop. */
export function guardUnsaved(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (unsavedFiles().length > 0) event.preventDefault();
  };
  addEventListener("beforeunload", ask);
  return () => removeEventListener("beforeunload", ask);
}
