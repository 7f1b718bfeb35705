import type { ImportPlan } from "@penstock/codegen/contract";
import type { Problem } from "@penstock/codegen/diagnostics";
import { parseTopology, printTopology, type Topology } from "@penstock/codegen/topology";
import { createStore } from "zustand/vanilla";
import { addedPart, addImported, boxAround, drawnRefs, refsOf } from "../../drawing/edits/addImported.js";
import { arranged } from "../../drawing/arrange/autoLayout.js";
import { fitTo } from "../../drawing/screen/fit.js";
import { documentStore, edit, reveal, select, setView } from "../../kernel/document/index.js";
import { ApiFailure, ask } from "../../kernel/server/api.js";
import { toast } from "../../kernel/ui/index.js";
import { droppedFiles, tooMuch, type Brought, type BroughtFile } from "./broughtFiles.js";

/** How far an import is. */
export type ImportState =
  | { kind: "asking" }
  | { kind: "refused"; message: string; help: string; problems: readonly Problem[] }
  /** `of` is the drawing that the plan is for, `after` what it becomes. */
  | { kind: "planned"; plan: ImportPlan; of: Topology; after: Topology; applying?: true };

export interface Shown extends Brought {
  state: ImportState;
}

/** The import that is being looked at; null: none. */
export const importStore = createStore<{ shown: Shown | null }>(() => ({ shown: null }));

let attempt = new AbortController();

export function closeImport(): void {
  attempt.abort();
  importStore.setState({ shown: null });
}

/** Asks what the files would add, beside those that are being looked at; one of the same path takes its place. */
export async function bringFiles(brought: Brought): Promise<void> {
  const { shown } = importStore.getState();
  const paths = new Set(brought.files.map(({ path }) => path));
  const files = [...(shown?.files ?? []).filter(({ path }) => !paths.has(path)), ...brought.files];
  if (files.length === 0) {
    toast("Nothing to import in what was brought", {
      tone: "bad",
      body: "Files that end with .proto, .idl or .forb can be.",
    });
    return;
  }
  attempt.abort();
  const { signal } = (attempt = new AbortController());
  const show = (state: ImportState): void => {
    if (!signal.aborted)
      importStore.setState({ shown: { files, aside: [...(shown?.aside ?? []), ...brought.aside], state } });
  };
  show({ kind: "asking" });
  show(await planned(files, signal));
}

/** The same with what was dropped. To be called while the drop is handled. */
export async function bringDropped(data: DataTransfer): Promise<void> {
  try {
    await bringFiles(await droppedFiles(data));
  } catch (error) {
    // A folder that went away, or that the browser may not read.
    const body = error instanceof Error ? error.message : String(error);
    toast("What was dropped cannot be read", { tone: "bad", body });
  }
}

async function planned(files: readonly BroughtFile[], signal: AbortSignal): Promise<ImportState> {
  const much = tooMuch(files);
  if (much !== undefined)
    return { kind: "refused", message: much, help: "Bring fewer of them.", problems: [] };
  const { topology: of, projectId } = documentStore.getState();
  try {
    const texts = await Promise.all(files.map(async ({ path, file }) => ({ path, text: await file.text() })));
    const body = { topology: printTopology(of), files: texts };
    const plan = await ask("planImport", { project: projectId ?? "" }, { body, signal });
    const { topology: after, problems } = parseTopology(plan.topology);
    if (after) return { kind: "planned", plan, of, after };
    return { kind: "refused", message: "The drawing would be none any more", help: "", problems };
  } catch (error) {
    if (error instanceof ApiFailure) {
      const { message, help, problems } = error;
      return { kind: "refused", message, help, problems };
    }
    // A file that went away, or that the browser may not read.
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "refused", message, help: "Bring the files again.", problems: [] };
  }
}

/** Draws what was planned, as one step; asks anew where the drawing is another one by now. */
export async function applyImport(): Promise<void> {
  const { shown: planned } = importStore.getState();
  if (planned?.state.kind !== "planned" || planned.state.applying) return;
  const { of, after } = planned.state;
  const part = addedPart(of, after);
  const shown: Shown = { ...planned, state: { ...planned.state, applying: true } };
  importStore.setState({ shown });
  // Without places of its own it lies where new things are suggested.
  const places = part.services.length === 0 ? {} : await arranged(part).catch(() => ({}));
  if (importStore.getState().shown !== shown) return;
  if (documentStore.getState().topology !== of) return bringFiles({ files: [], aside: [] });
  const [first] = shown.files;
  const what = shown.files.length === 1 && first ? first.path : `${shown.files.length} files`;
  const refs = refsOf(part);
  edit(`Import ${what}`, (model) => addImported(model, after, places), { select: refs });
  closeImport();
  look(part, refs);
}

function look(part: Topology, refs: readonly string[]): void {
  if (part.services.length > 0) {
    setView("flow");
    const box = boxAround(documentStore.getState(), drawnRefs(part));
    if (box) requestAnimationFrame(() => void fitTo(box, 140));
    return;
  }
  const [first] = refs;
  if (first === undefined) return;
  reveal(first);
  select(refs);
}
