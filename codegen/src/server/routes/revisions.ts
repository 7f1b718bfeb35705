import type { RouteHandler } from "../route.js";

export const revisions: RouteHandler<"revisions"> = (request, { workspace }) =>
  workspace.revisions(request.params.project);

export const revision: RouteHandler<"revision"> = ({ params }, { workspace }) =>
  workspace.revision(params.project, params.revision);
