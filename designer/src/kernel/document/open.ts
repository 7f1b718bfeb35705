import type { Problem } from "@penstock/codegen/diagnostics";
import type { ProjectDocument } from "@penstock/codegen/contract";
import { parseTopology, printLayout } from "@penstock/codegen/topology";
import { dropDraft, readDraft, setDraftAside } from "./draft.js";
import { documentStore, showDocument } from "./store.js";

/**
 * Opens a project as the server has it. A draft made from the same revision (a save that never
 * got through) is shown instead and saved; a draft of an older revision becomes a conflict to decide, and one that
 * cannot be read is set aside for who asks (`unreadDraft`).
 * Returns what keeps the topology from being read; the document is then not shown.
 */
export function openDocument(document: ProjectDocument): Problem[] {
  const parsed = parseTopology(document.topology);
  if (!parsed.topology) return parsed.problems;
  showDocument({
    projectId: document.id,
    folder: document.folder ?? "",
    topology: parsed.topology,
    layout: document.layout,
    revision: document.revision,
    readOnly: document.readOnly,
    readOnlyReason: document.readOnlyReason,
  });
  if (!document.readOnly) restoreDraft(document);
  return [];
}

function restoreDraft(document: ProjectDocument): void {
  const draft = readDraft(document.id);
  const drafted = draft && parseTopology(draft.topology).topology;
  if (!draft || !drafted) return setDraftAside(document.id);
  if (draft.topology === document.topology && printLayout(draft.layout) === printLayout(document.layout))
    return dropDraft(document.id);
  const stale = draft.revision !== document.revision;
  documentStore.setState({
    topology: drafted,
    layout: draft.layout,
    // What is drawn is still made of the older one, until the conflict is decided.
    revision: draft.revision,
    renames: draft.renames,
    conflict: stale ? document : null,
    save: stale
      ? { state: "conflict", message: "This browser has unsaved changes to an older version" }
      : { state: "unsaved", message: "Restored unsaved changes" },
  });
}
