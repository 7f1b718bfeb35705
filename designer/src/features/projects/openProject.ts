import { createStore } from "zustand/vanilla";
import { parseTopology } from "@penstock/codegen/topology";
import type { Problem } from "@penstock/codegen/diagnostics";
import type { DamagedProject, ProjectDocument, RevisionInfo } from "@penstock/codegen/contract";
import { arrangeUnplaced } from "../../drawing/arrange/arrangeUnplaced.js";
import { adoptDraft, dropUnread, unreadDraft } from "../../kernel/document/draft.js";
import {
  closeDocument,
  documentStore,
  flushSave,
  forgetCode,
  openDocument,
  setView,
} from "../../kernel/document/index.js";
import { ask, ApiFailure } from "../../kernel/server/api.js";
import { followProject } from "../../kernel/connection/connection.js";
import { projectStore } from "../../kernel/server/projectStore.js";
import { closeFiles, saveOpenFiles } from "../../kernel/files/fileStore.js";
import { showUnsaved } from "../../kernel/files/unsaved.js";
import { loadPalette } from "../../kernel/server/paletteStore.js";
import { saveFile } from "../../kernel/ui/handOver.js";
import { dismissToasts, toast } from "../../kernel/ui/index.js";

/** Which project the page is at, and how far it is with it. */
export type Opened =
  | { kind: "none" }
  | { kind: "loading"; project: string }
  | { kind: "open"; project: string }
  | {
      kind: "damaged";
      project: string;
      /** Where the file is on disk; "" where the page found the damage. */
      path: string;
      problems: Problem[];
      message: string;
      revision: string;
      revisions: RevisionInfo[];
    }
  | { kind: "failed"; project: string; message: string; help: string };

const projectInAddress = (): string | null => new URLSearchParams(location.search).get("project");

/** An address with a project shows no other screen before it. */
const atFirst = (project: string | null): Opened =>
  project === null ? { kind: "none" } : { kind: "loading", project };

export const openedStore = createStore<{ opened: Opened }>(() => ({ opened: atFirst(projectInAddress()) }));

const setAddress = (project: string | null): void =>
  history.pushState(
    null,
    "",
    project === null ? location.pathname : `?project=${encodeURIComponent(project)}`,
  );

/** Shows a project (or the start screen), with the address to match so that reload and back work. */
export function goTo(project: string | null): void {
  if (project === projectInAddress()) return;
  setAddress(project);
  void follow();
}

/**
 * Opens what the address names; called once signed in, and on back and forward. Stays where it is
 * while text of handlers cannot be saved, unless it may be dropped: a draft is kept of the drawing alone.
 */
export async function follow(mayDrop = false): Promise<void> {
  const project = projectInAddress();
  try {
    if (documentStore.getState().projectId !== null) await flushSave();
    const saved = await saveOpenFiles();
    // Somewhere else meanwhile, which was followed on its own.
    if (projectInAddress() !== project) return;
    if (!saved && !mayDrop) return stay(project);
    if (![null, project].includes(documentStore.getState().projectId)) dismissToasts();
    closeFiles();
    forgetCode();
    if (project === null) {
      followProject(null);
      closeDocument();
      // The next project is seen as its flow first, whatever this one was last looked at as.
      setView("flow");
      openedStore.setState({ opened: { kind: "none" } });
      return;
    }
    openedStore.setState({ opened: { kind: "loading", project } });
    await load(project);
  } catch (error) {
    // Somewhere else meanwhile, which was followed on its own.
    if (projectInAddress() !== project) return console.error(error);
    if (project !== null) return openedStore.setState({ opened: failedWith(project, error) });
    // All projects can be shown whatever became of the one before.
    console.error(error);
    openedStore.setState({ opened: { kind: "none" } });
    toast("The project was not closed as it should be", { tone: "bad", body: messageOf(error) });
  }
}

function stay(wanted: string | null): void {
  const { project } = projectStore.getState();
  if (project !== wanted) setAddress(project);
  showUnsaved("the project stays open", {
    label: "Drop the text",
    onSelect: () => {
      if (projectInAddress() !== wanted) setAddress(wanted);
      void follow(true);
    },
  });
}

/** A drawing that came without places is first seen arranged, unless that takes longer: then it is arranged as one looks. */
const ARRANGED_WITHIN_MS = 3000;

let attempt = new AbortController();

/** A later attempt takes the place of one that is still waited for, whose end then says nothing. */
async function load(project: string): Promise<void> {
  attempt.abort();
  const { signal } = (attempt = new AbortController());
  try {
    const document = await ask("project", { project }, { signal });
    if (signal.aborted || projectInAddress() !== project) return;
    if (!document.readOnly) adoptDraft(document.id);
    const problems = openDocument(document);
    if (problems.length > 0) {
      const revisions = await ask("revisions", { project }, { signal }).catch(() => []);
      if (signal.aborted || projectInAddress() !== project) return;
      const message = problems[0]?.message ?? "";
      openedStore.setState({
        opened: {
          kind: "damaged",
          project,
          path: "",
          problems,
          message,
          revision: document.revision,
          revisions,
        },
      });
      return;
    }
    await Promise.race([
      arrangeUnplaced(),
      new Promise((resolve) => setTimeout(resolve, ARRANGED_WITHIN_MS)),
    ]);
    if (signal.aborted || projectInAddress() !== project) return;
    followProject(project, document.trusted);
    void loadPalette(project);
    openedStore.setState({ opened: { kind: "open", project } });
    sayLost(document);
    if (document.migratedFrom !== undefined)
      toast(`Migrated from format ${document.migratedFrom}`, { body: "The original is kept beside it." });
  } catch (error) {
    if (signal.aborted || projectInAddress() !== project) return;
    openedStore.setState({ opened: failedWith(project, error) });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whatever went wrong, somebody waits for a project: they are told, and what they can do. */
function failedWith(project: string, error: unknown): Opened {
  if (!(error instanceof ApiFailure)) {
    // A fault of the page itself: where it came from stands in the browser's console.
    console.error(error);
    return {
      kind: "failed",
      project,
      message: `The page could not show it: ${messageOf(error)}`,
      help: "Nothing of the project was changed. Try again, or reload the page.",
    };
  }
  const { code, problems, message, help } = error;
  if (code !== "damaged") return { kind: "failed", project, message, help };
  const body = error.body as Partial<DamagedProject> | null;
  return {
    ...{ kind: "damaged", project, message, problems: [...problems] },
    path: body?.path ?? "",
    revision: body?.revision ?? "",
    revisions: body?.revisions ?? [],
  };
}

/** Says what of the layout was lost, and what of this browser's drawing could not be read. */
export function sayLost({ id, layoutProblems = [] }: ProjectDocument): void {
  for (const { message, help } of layoutProblems) toast(message, { tone: "warn", body: help });
  const unread = unreadDraft(id);
  if (unread === undefined) return;
  toast("Unsaved changes cannot be read", {
    tone: "bad",
    body: [
      parseTopology(unread).problems[0]?.message,
      "This browser keeps them until you have them as a file",
    ]
      .filter(Boolean)
      .join(". "),
    action: {
      label: "Download",
      onSelect: () => {
        saveFile(`${id}.unsaved.json`, unread, "application/json");
        dropUnread(id);
      },
    },
  });
}

/** Puts an earlier revision in the place of a damaged file, then opens it. */
export async function restore(project: string, damaged: string, revision: string): Promise<void> {
  const earlier = await ask("revision", { project, revision });
  await ask(
    "saveProject",
    { project },
    { body: { topology: earlier.topology, layout: earlier.layout }, ifMatch: damaged },
  );
  await load(project);
}
