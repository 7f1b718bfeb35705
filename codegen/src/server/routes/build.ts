import { z } from "zod";
import { defineRoute, idParam } from "../route.js";

const PRESETS = ["release", "dev", "asan", "tsan"] as const;

export const startBuild = defineRoute({
  method: "post",
  path: "/api/projects/:project/build",
  body: z.union([z.undefined(), z.strictObject({ preset: z.enum(PRESETS).optional() })]),
  async handle(request, { runners, workspace, audit }) {
    const project = idParam(request, "project");
    await workspace.requireTrust(project);
    const runner = await runners.of(project);
    runner.startBuild(request.body?.preset ?? "release");
    audit.record({ what: "build", project: runner.name, result: "started" });
    return { started: true };
  },
});

export const cancelBuild = defineRoute({
  method: "delete",
  path: "/api/projects/:project/build",
  async handle(request, { runners, audit }) {
    const runner = await runners.of(idParam(request, "project"));
    const cancelled = runner.cancelBuild();
    audit.record({
      what: "cancel build",
      project: runner.name,
      result: cancelled ? "ok" : "none was running",
    });
    return { cancelled };
  },
});
