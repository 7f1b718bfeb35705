import type { RouteHandler } from "../route.js";

export const generate: RouteHandler<"generate"> = async (
  request,
  { runners, audit, workspace, toolchain },
) => {
  const project = request.params.project;
  // Its own nodes bring templates, which generating runs; its own sources bring packages that CMake looks for.
  const { nodes, sources } = await toolchain.nodes(await workspace.folderOf(project));
  if ([...nodes, ...sources].some(({ own }) => own)) await workspace.requireTrust(project);
  const runner = await runners.of(project);
  const answer = await runner.generate(request.body?.force ?? false);
  audit.record({ what: "generate", project: runner.name, result: answer.ok ? "ok" : "refused" });
  return answer;
};
