import { z } from "zod";
import { defineRoute, idParam } from "../route.js";

export const generate = defineRoute({
  method: "post",
  path: "/api/projects/:project/generate",
  body: z.union([z.undefined(), z.strictObject({ force: z.boolean().optional() })]),
  async handle(request, { runners, audit }) {
    const runner = await runners.of(idParam(request, "project"));
    const answer = await runner.generate(request.body?.force ?? false);
    audit.record({ what: "generate", project: runner.name, result: answer.ok ? "ok" : "refused" });
    return answer;
  },
});
