import { z } from "zod";
import { defineRoute, idParam } from "../route.js";

export const generate = defineRoute({
  method: "post",
  path: "/api/projects/:project/generate",
  body: z.union([z.undefined(), z.strictObject({ force: z.boolean().optional() })]),
  async handle(request, { runners, audit, workspace, toolchain }) {
    const project = idParam(request, "project");
    // Its own nodes bring templates, which generating runs.
    const { nodes } = await toolchain.nodes(await workspace.folderOf(project));
    if (nodes.some(({ own }) => own)) await workspace.requireTrust(project);
    const runner = await runners.of(project);
    const answer = await runner.generate(request.body?.force ?? false);
    audit.record({ what: "generate", project: runner.name, result: answer.ok ? "ok" : "refused" });
    return answer;
  },
});
