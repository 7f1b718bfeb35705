import type { RouteHandler } from "./route.js";

export const startBench: RouteHandler<"startBench"> = async (request, { runners, workspace, audit }) => {
  const project = request.params.project;
  await workspace.requireTrust(project);
  const runner = await runners.of(project);
  runner.startBench(request.body?.service);
  audit.record({ what: "bench", project: runner.name, result: "started" });
  return { started: true };
};

export const cancelBench: RouteHandler<"cancelBench"> = async (request, { runners, audit }) => {
  const runner = await runners.of(request.params.project);
  const cancelled = await runner.cancelBench();
  audit.record({
    what: "cancel bench",
    project: runner.name,
    result: cancelled ? "ok" : "none was running",
  });
  return { cancelled };
};
