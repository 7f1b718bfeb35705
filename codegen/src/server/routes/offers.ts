import { listExamples } from "./examples.js";
import type { RouteHandler } from "./route.js";

export const status: RouteHandler<"status"> = (_request, context) => context.status();

export const examples: RouteHandler<"examples"> = (_request, { examplesDir }) => listExamples(examplesDir);

export const nodes: RouteHandler<"nodes"> = async (request, { workspace, toolchain }) => {
  return toolchain.nodes(await workspace.folderOf(request.params.project));
};
