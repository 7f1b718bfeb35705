import type { ProjectDocument, Rename, SaveProject } from "@penstock/codegen/contract";
import type { Problem } from "@penstock/codegen/diagnostics";
import { printTopology } from "@penstock/codegen/topology";
import { dropDraft, keepDraft } from "./draft.js";
import { joinedRenames } from "./history.js";
import { openDocument } from "./open.js";
import { documentStore, type DocumentState } from "./store.js";

/** Quiet time after the last edit before it is saved. */
export const SAVE_DELAY_MS = 600;
/** Wait before a failed save is tried again; doubled up to RETRY_MAX_MS. */
const RETRY_MS = 2000;
const RETRY_MAX_MS = 30_000;

export type SaveOutcome =
  | { kind: "saved"; revision: string; problems: Problem[] }
  | { kind: "conflict"; current: ProjectDocument }
  | { kind: "failed"; message: string };

/** The side of the server that the document needs; handed in by the shell. */
export interface DocumentServer {
  save(projectId: string, body: SaveProject, revision: string): Promise<SaveOutcome>;
}

let server: DocumentServer | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let retryMs = RETRY_MS;
let running: Promise<boolean> | undefined;
/** Renames on their way to the server; the state has those after them. */
let sending: readonly Rename[] = [];

/** Connects the document to its server and starts saving what changes. Returns how to stop. */
export function connectDocument(connected: DocumentServer): () => void {
  server = connected;
  const unsubscribe = documentStore.subscribe((state, before) => {
    if (state.projectId !== before.projectId) {
      clearTimeout(timer);
      retryMs = RETRY_MS;
    } else if (state.topology !== before.topology || state.layout !== before.layout) {
      // In a conflict it is the draft that is kept up to date.
      if (["unsaved", "conflict"].includes(state.save.state)) schedule(SAVE_DELAY_MS);
    }
  });
  addEventListener("pagehide", keepOnLeave);
  return () => {
    unsubscribe();
    removeEventListener("pagehide", keepOnLeave);
    clearTimeout(timer);
    if (server === connected) server = undefined;
  };
}

function schedule(delayMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void flushSave(), delayMs);
}

/** False when it could not be kept, be it that what is drawn cannot be written. */
function keepAsDraft(state: DocumentState): boolean {
  if (state.projectId === null) return false;
  try {
    return keepDraft(state.projectId, {
      topology: printTopology(state.topology),
      layout: state.layout,
      revision: state.revision,
      savedAtMs: Date.now(),
      renames: joinedRenames(sending, state.renames),
    });
  } catch {
    return false;
  }
}

/** A page that goes away waits for no save: what is not on disk yet is there again when it comes back. */
function keepOnLeave(): void {
  const state = documentStore.getState();
  if (!["saved", "readonly"].includes(state.save.state)) keepAsDraft(state);
}

/** Saves now what is unsaved (in a conflict: as a draft). True when what is drawn is what is on disk afterwards. */
export async function flushSave(): Promise<boolean> {
  clearTimeout(timer);
  await running;
  if (running) return flushSave();
  const state = documentStore.getState();
  if (state.save.state === "saved" || state.save.state === "readonly") return true;
  if (state.save.state === "conflict") keepAsDraft(state);
  if (state.save.state === "conflict" || state.projectId === null || !server) return false;
  running = saveOnce(state, state.projectId, server).finally(() => (running = undefined));
  const saved = await running;
  return saved && (documentStore.getState().save.state === "saved" || flushSave());
}

async function saveOnce(state: DocumentState, projectId: string, to: DocumentServer): Promise<boolean> {
  sending = state.renames;
  documentStore.setState({ renames: [], save: { state: "saving", message: "" } });
  const outcome = await send(state, projectId, to);
  sending = [];
  const now = documentStore.getState();
  if (now.projectId !== projectId) return false;
  if (outcome.kind === "saved") {
    const current = now.topology === state.topology && now.layout === state.layout;
    retryMs = RETRY_MS;
    documentStore.setState({
      revision: outcome.revision,
      save: { state: current ? "saved" : "unsaved", message: "" },
    });
    if (current) dropDraft(projectId);
    else schedule(SAVE_DELAY_MS);
    return true;
  }
  const renames = joinedRenames(state.renames, now.renames);
  documentStore.setState({ renames });
  const kept = keepAsDraft({ ...now, renames });
  if (outcome.kind === "conflict") {
    documentStore.setState({
      conflict: outcome.current,
      save: { state: "conflict", message: "Somebody else has changed this project" },
    });
    return false;
  }
  const draft = kept ? "kept in this browser" : "NOT kept: leave this tab open";
  documentStore.setState({ save: { state: "failed", message: `${outcome.message} (${draft})` } });
  schedule(retryMs);
  retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
  return false;
}

async function send(
  { topology, layout, renames, revision }: DocumentState,
  projectId: string,
  to: DocumentServer,
): Promise<SaveOutcome> {
  try {
    const body: SaveProject = { topology: printTopology(topology), layout };
    if (renames.length > 0) body.renames = [...renames];
    return await to.save(projectId, body, revision);
  } catch (error) {
    return { kind: "failed", message: String(error) };
  }
}

/** Decides a conflict: my drawing over theirs (as a new revision), or theirs and mine is dropped. */
export async function resolveConflict(choice: "mine" | "theirs"): Promise<boolean> {
  const { conflict } = documentStore.getState();
  if (!conflict) return false;
  if (choice === "theirs") {
    dropDraft(conflict.id);
    return openDocument(conflict).length === 0;
  }
  documentStore.setState({
    revision: conflict.revision,
    conflict: null,
    save: { state: "unsaved", message: "" },
  });
  return flushSave();
}
