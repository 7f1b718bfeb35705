import { guardUnsaved } from "../../kernel/files/unsaved.js";
import type { Feature } from "../../registry/feature.js";
import { codeFixes } from "./handlerChanges.js";
import { CodePane } from "./CodePane.js";
import { HandlerChangesDialog } from "./HandlerChangesDialog.js";
import { FileListFollower } from "./FileListFollower.js";

/** Handlers in an editor, and what in them is not drawn. */
export const code: Feature = {
  name: "code",
  view: { view: "code", what: "The code", View: CodePane },
  fixes: codeFixes,
  mounted: [FileListFollower, HandlerChangesDialog],
  follow: [guardUnsaved],
};
