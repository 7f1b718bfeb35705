import type { RouteHandler } from "../route.js";

export const status: RouteHandler<"status"> = (_request, context) => context.status();
