import type { RouteHandler } from "./route.js";

export const startBuild: RouteHandler<"startBuild"> = async (request, { runners, workspace, audit }) => {
  const project = request.params.project;
  await workspace.requireTrust(project);
  const runner = await runners.of(project);
  runner.startBuild(request.body?.preset ?? "release");
  audit.record({ what: "build", project: runner.name, result: "started" });
  return { started: true };
};

export const cancelBuild: RouteHandler<"cancelBuild"> = async (request, { runners, audit }) => {
  const runner = await runners.of(request.params.project);
  const cancelled = runner.cancelBuild();
  audit.record({
    what: "cancel build",
    project: runner.name,
    result: cancelled ? "ok" : "none was running",
  });
  return { cancelled };
};

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
