import type { RouteHandler } from "../route.js";

export const logs: RouteHandler<"logs"> = async (request, { runners }) => {
  const runner = await runners.of(request.params.project);
  return { lines: runner.logs(request.query.binary) };
};
