import type { RouteHandler } from "./route.js";

export const startRun: RouteHandler<"startRun"> = async (request, { runners, workspace, audit }) => {
  const project = request.params.project;
  await workspace.requireTrust(project);
  const runner = await runners.of(project);
  const { binary, relaxPins, preset } = request.body ?? {};
  runner.startRun({
    ...(binary ? { binary } : {}),
    ...(preset ? { preset } : {}),
    relaxPins: relaxPins ?? false,
  });
  audit.record({ what: "run", project: runner.name, ...(binary ? { binary } : {}), result: "started" });
  return { started: true };
};

export const stopRun: RouteHandler<"stopRun"> = async (request, { runners, audit }) => {
  const runner = await runners.of(request.params.project);
  const binary = request.body?.binary;
  const stopped = await runner.stop(binary);
  audit.record({ what: "stop", project: runner.name, ...(binary ? { binary } : {}), result: "ok" });
  return { stopped };
};

export const logs: RouteHandler<"logs"> = async (request, { runners }) => {
  const runner = await runners.of(request.params.project);
  return { lines: runner.logs(request.query.binary) };
};
