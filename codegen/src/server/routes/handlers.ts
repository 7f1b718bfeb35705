import type { HandlerChange, HandlersAnswer } from "../../protocol/index.js";
import { contentHash } from "../../disk/index.js";
import { withIds } from "../../workspace/index.js";
import { defineRoute, idParam } from "../route.js";

/** Words are changed within lines, so both texts have the same lines. */
function changedLines(before: string, after: string): HandlerChange["lines"] {
  const news = after.split("\n");
  return before
    .split("\n")
    .map((line, index) => ({ line: index + 1, before: line, after: news[index] ?? "" }))
    .filter((row) => row.before !== row.after);
}

export const followHandlers = defineRoute({
  method: "get",
  path: "/api/projects/:project/handlers",
  async handle(request, { workspace, toolchain }): Promise<HandlersAnswer> {
    const project = idParam(request, "project");
    const { topology } = toolchain.format.parse((await workspace.document(project)).topology);
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
  },
});
