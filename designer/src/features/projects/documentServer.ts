import type { SaveConflict } from "@penstock/codegen/protocol";
import type { DocumentServer } from "../../kernel/document/index.js";
import { api, ApiFailure } from "../../kernel/server/api.js";

/** How the document is saved: the autosave's view of the server. */
export const documentServer: DocumentServer = {
  async save(projectId, body, revision) {
    try {
      return { kind: "saved", ...(await api.save(projectId, body, revision)) };
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const { current } = (error.body ?? {}) as Partial<SaveConflict>;
      if (error.status === 409 && current) return { kind: "conflict", current };
      return { kind: "failed", message: error.message };
    }
  },
};
