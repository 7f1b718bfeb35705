import { z } from "zod";
import { defineRoute, idParam } from "../route.js";

const serviceName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "no name of a service");

export const startBench = defineRoute({
  method: "post",
  path: "/api/projects/:project/bench",
  body: z.union([z.undefined(), z.strictObject({ service: serviceName.optional() })]),
  async handle(request, { runners, workspace, audit }) {
    const project = idParam(request, "project");
    await workspace.requireTrust(project);
    const runner = await runners.of(project);
    runner.startBench(request.body?.service);
    audit.record({ what: "bench", project: runner.name, result: "started" });
    return { started: true };
  },
});

export const cancelBench = defineRoute({
  method: "delete",
  path: "/api/projects/:project/bench",
  async handle(request, { runners, audit }) {
    const runner = await runners.of(idParam(request, "project"));
    const cancelled = await runner.cancelBench();
    audit.record({
      what: "cancel bench",
      project: runner.name,
      result: cancelled ? "ok" : "none was running",
    });
    return { cancelled };
  },
});
