import { HttpRefusal } from "../httpRefusal.js";
import { defineRoute, idParam } from "../route.js";

export const getLogs = defineRoute({
  method: "get",
  path: "/api/projects/:project/logs",
  async handle(request, { runners }) {
    const runner = await runners.of(idParam(request, "project"));
    const binary = request.query.get("binary");
    if (binary !== null && !/^[a-z][a-z0-9_-]{0,63}$/.test(binary)) {
      throw new HttpRefusal(400, "binary", "this is no name of a binary");
    }
    return { lines: runner.logs(binary ?? undefined) };
  },
});
