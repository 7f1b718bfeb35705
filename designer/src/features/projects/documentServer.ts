import type { SaveConflict } from "@penstock/codegen/contract";
import type { DocumentServer } from "../../kernel/document/index.js";
import { ask, ApiFailure } from "../../kernel/server/api.js";

/** How the document is saved: the autosave's view of the server. */
export const documentServer: DocumentServer = {
  async save(projectId, body, revision) {
    try {
      return {
        kind: "saved",
        ...(await ask("saveProject", { project: projectId }, { body, ifMatch: revision })),
      };
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const { current } = (error.body ?? {}) as Partial<SaveConflict>;
      if (error.status === 409 && current) return { kind: "conflict", current };
      return { kind: "failed", message: error.message };
    }
  },
};
