import type { HandlerChange } from "@penstock/codegen/contract";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { setCodeProblems } from "../../kernel/problems/problemStore.js";
import { ask, ApiFailure } from "../../kernel/server/api.js";
import { projectStore } from "../../kernel/server/projectStore.js";
import { toast } from "../../kernel/ui/toast.js";
import { fileStore, loadFiles, openFile, saveOpenFiles } from "../../kernel/files/fileStore.js";
import type { FixSource } from "../../registry/feature.js";

/** What would bring the user's code after the drawing. */
interface HandlerChangesState {
  /** Of which project; null before the first answer. */
  project: string | null;
  changes: readonly HandlerChange[];
  /** The patch is looked at. */
  shown: boolean;
}
const nothing: HandlerChangesState = { project: null, changes: [], shown: false };
export const handlerStore = createStore<HandlerChangesState>(() => nothing);
export const useHandlerChanges = <T>(selector: (state: HandlerChangesState) => T): T =>
  useStore(handlerStore, selector);

/** Asks the server anew what the user's code names that is not drawn; offers the patch when a file has come to need one. */
export async function loadHandlerChanges(): Promise<void> {
  const { project } = projectStore.getState();
  if (project === null) return;
  try {
    const { problems, changes } = await ask("handlers", { project });
    if (projectStore.getState().project !== project) return;
    const before = handlerStore.getState();
    handlerStore.setState({ project, changes });
    setCodeProblems(problems);
    const known = new Set(before.changes.map(({ id }) => id));
    const fresh = before.project === project && changes.some(({ id }) => !known.has(id));
    if (fresh && !before.shown) offer(changes);
  } catch (error) {
    // The compiler says it, too; only the early word is missing.
    if (!(error instanceof ApiFailure)) throw error;
  }
}

function offer(changes: readonly HandlerChange[]): void {
  const files = changes.length === 1 ? changes[0]?.path : `${changes.length} files`;
  toast("Your code names what is not drawn", {
    tone: "warn",
    body: `${files} can follow the drawing.`,
    action: { label: "Show the changes", onSelect: () => void showHandlerChanges() },
    lasts: 15_000,
  });
}

/** Shows the patch, of what is on disk: text that is not saved yet is saved first. */
export async function showHandlerChanges(): Promise<void> {
  if (!(await saveOpenFiles())) {
    toast("Not shown: a file is not saved", { tone: "bad" });
    return;
  }
  await loadHandlerChanges();
  handlerStore.setState({ shown: true });
}

export const hideHandlerChanges = (): void => handlerStore.setState({ shown: false });

/** Writes the changes of these files. A file that somebody has changed since the patch was shown is left alone and said. */
export async function applyHandlerChanges(ids: ReadonlySet<string>): Promise<void> {
  const { project, changes } = handlerStore.getState();
  if (project === null) return;
  const chosen = changes.filter(({ id }) => ids.has(id));
  const refused: string[] = [];
  for (const { id, path, text, hash } of chosen)
    try {
      await ask("saveFile", { project, file: id }, { body: { text }, ifMatch: hash });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      refused.push(`${path}: ${error.message}`);
    }
  hideHandlerChanges();
  // What the editor shows is one of them, perhaps.
  const { openId } = fileStore.getState();
  if (openId !== null) await openFile(openId);
  await loadFiles();
  if (refused.length > 0) toast("Not all files were changed", { tone: "bad", body: refused.join("\n") });
  else toast(`Changed ${chosen.length === 1 ? chosen[0]?.path : `${chosen.length} files`}`, { tone: "ok" });
}

/** Asks whenever the list of files has come anew: after a save of drawing or code, a generation, a build. Returns how to stop. */
export function followHandlerChanges(): () => void {
  const stop = fileStore.subscribe((state, before) => {
    if (state.files !== before.files && state.files.length > 0) void loadHandlerChanges();
  });
  return () => {
    stop();
    handlerStore.setState(nothing);
    setCodeProblems([]);
  };
}

const CODE_NOT_DRAWN = "PS710";

/** The names that are drawn, where they are known; the patch is looked at before anything changes. */
export const codeFixes: FixSource = ({ code, file }) =>
  code === CODE_NOT_DRAWN && handlerStore.getState().changes.some(({ path }) => path === file)
    ? [{ label: "Change the code…", perform: () => void showHandlerChanges() }]
    : [];
