import { contentHash } from "../../disk/index.js";
import type { HandlerChange } from "../../contract/index.js";
import { withIds } from "../../workspace/index.js";
import type { RouteHandler } from "./route.js";

/** Words are changed within lines, so both texts have the same lines. */
function changedLines(before: string, after: string): HandlerChange["lines"] {
  const news = after.split("\n");
  return before
    .split("\n")
    .map((line, index) => ({ line: index + 1, before: line, after: news[index] ?? "" }))
    .filter((row) => row.before !== row.after);
}

export const handlers: RouteHandler<"handlers"> = async (request, { workspace, toolchain }) => {
  const project = request.params.project;
  const { topology } = await workspace.drawn(project);
  if (!topology) return { problems: [], changes: [] };
  const { problems, changes } = await toolchain.followHandlers(await workspace.folderOf(project), topology);
  return {
    problems,
    changes: changes.flatMap(({ path, before, after }) =>
      withIds([{ path, node: "", owner: "user", written: true }]).map(({ id }) => ({
        id,
        path,
        hash: contentHash(before),
        text: after,
        lines: changedLines(before, after),
      })),
    ),
  };
};
