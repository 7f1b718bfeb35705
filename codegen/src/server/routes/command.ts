import type { RouteHandler } from "./route.js";

export const sendCommand: RouteHandler<"sendCommand"> = async (request, { runners, audit }) => {
  const runner = await runners.of(request.params.project);
  const binary = request.params.binary;
  const { method, params } = request.body;
  const note = (result: string): void =>
    audit.record({ what: `command ${method}`, project: runner.name, binary, result });
  try {
    const result = await runner.command(binary, method, params);
    note("ok");
    return result;
  } catch (error) {
    note("refused");
    throw error;
  }
};
