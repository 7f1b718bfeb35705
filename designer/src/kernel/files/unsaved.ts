import { forgetCode, setView } from "../document/index.js";
import { toast, type ToastOptions } from "../ui/index.js";
import { openFile, unsavedFiles } from "./fileStore.js";

/** Opens a file that could not be saved and says why, and what did not happen because of it. */
export function showUnsaved(consequence: string, action?: ToastOptions["action"]): void {
  const files = unsavedFiles();
  const file = files.find(({ error }) => error !== "") ?? files[0];
  if (!file) return;
  // The code view follows codeNode: cleared, so that it keeps the file that is opened here.
  forgetCode();
  setView("code");
  void openFile(file.id);
  toast(`${file.path} is not saved, so ${consequence}`, {
    tone: "bad",
    body: file.error,
    ...(action ? { action } : {}),
  });
}

/** Lets the browser ask before it drops text of handlers, whatever is shown. Returns how to stop. */
export function guardUnsaved(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (unsavedFiles().length > 0) event.preventDefault();
  };
  addEventListener("beforeunload", ask);
  return () => removeEventListener("beforeunload", ask);
}
