import { defineRoute } from "../route.js";

export const getStatus = defineRoute({
  method: "get",
  path: "/api/status",
  handle: (_request, context) => context.status(),
});
