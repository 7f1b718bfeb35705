import type { RouteHandler } from "../route.js";

export const nodes: RouteHandler<"nodes"> = async (request, { workspace, toolchain }) => {
  return toolchain.nodes(await workspace.folderOf(request.params.project));
};
