import { defineRoute } from "../route.js";
import { listExamples } from "../examples.js";

export const getExamples = defineRoute({
  method: "get",
  path: "/api/examples",
  handle: (_request, { examplesDir }) => listExamples(examplesDir),
});
