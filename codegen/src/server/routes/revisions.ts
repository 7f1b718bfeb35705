import { isRevision } from "../../workspace/index.js";
import { HttpRefusal } from "../httpRefusal.js";
import { defineRoute, idParam } from "../route.js";

export const listRevisions = defineRoute({
  method: "get",
  path: "/api/projects/:project/revisions",
  handle: (request, { workspace }) => workspace.revisions(idParam(request, "project")),
});

export const getRevision = defineRoute({
  method: "get",
  path: "/api/projects/:project/revisions/:revision",
  async handle(request, { workspace }) {
    const revision = request.params["revision"] ?? "";
    if (!isRevision(revision)) throw new HttpRefusal(400, "revision", "this is no revision");
    return workspace.revision(idParam(request, "project"), revision);
  },
});
