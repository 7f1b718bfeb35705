import type { RouteHandler } from "../route.js";
import { listExamples } from "../examples.js";

export const examples: RouteHandler<"examples"> = (_request, { examplesDir }) => listExamples(examplesDir);
