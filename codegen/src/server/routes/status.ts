import type { RouteHandler } from "../route.js";

export const status: RouteHandler<"status"> = (_request, house) => house.status();
