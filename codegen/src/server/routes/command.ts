import { z } from "zod";
import { COMMAND_METHODS } from "../../protocol/index.js";
import { binaryParam, defineRoute, idParam } from "../route.js";

export const sendCommand = defineRoute({
  method: "post",
  path: "/api/projects/:project/binaries/:binary/command",
  body: z.strictObject({
    method: z.enum(COMMAND_METHODS as [string, ...string[]]),
    params: z.record(z.string(), z.unknown()),
  }),
  async handle(request, { runners, audit }) {
    const runner = await runners.of(idParam(request, "project"));
    const binary = binaryParam(request);
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
  },
});
