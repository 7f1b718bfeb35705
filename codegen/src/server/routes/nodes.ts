import { defineRoute, idParam } from "../route.js";

export const listNodes = defineRoute({
  method: "get",
  path: "/api/projects/:project/nodes",
  async handle(request, { workspace, toolchain }) {
    return toolchain.nodes(await workspace.folderOf(idParam(request, "project")));
  },
});
