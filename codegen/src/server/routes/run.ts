import { z } from "zod";
import { defineRoute, idParam } from "../route.js";

const binaryName = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, "no name of a binary or a preset");

export const startRun = defineRoute({
  method: "post",
  path: "/api/projects/:project/run",
  body: z.union([
    z.undefined(),
    z.strictObject({
      binary: binaryName.optional(),
      relaxPins: z.boolean().optional(),
      preset: binaryName.optional(),
    }),
  ]),
  async handle(request, { runners, workspace, audit }) {
    const project = idParam(request, "project");
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
  },
});

export const stopRun = defineRoute({
  method: "post",
  path: "/api/projects/:project/stop",
  body: z.union([z.undefined(), z.strictObject({ binary: binaryName.optional() })]),
  async handle(request, { runners, audit }) {
    const runner = await runners.of(idParam(request, "project"));
    const binary = request.body?.binary;
    const stopped = await runner.stop(binary);
    audit.record({ what: "stop", project: runner.name, ...(binary ? { binary } : {}), result: "ok" });
    return { stopped };
  },
});
