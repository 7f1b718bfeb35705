import type { NodePlan, ProjectPlan, ServicePlan } from "../plan/index.js";
import { fitCall } from "./fitLine.js";

/** What `handler.hbs` and `state.hbs` of a node's package read. */
export function nodeContext(plan: ProjectPlan, service: ServicePlan, file: string): { file: string } {
  const node = service.standard!;
  const head = (request: string): string =>
    fitCall(0, `${service.resultType} ${service.name}::handle(`, request, ") {");
  const request = node.takesRequest ? `${service.requestType}&& ` : `const ${service.requestType}& `;
  return {
    file: `generated/${file}`,
    project: plan.project,
    name: service.name,
    type: `::${plan.project}::${service.name}`,
    header: service.header.replace(/^services\//, ""),
    isCoroutine: service.isCoroutine,
    return: service.isCoroutine ? "co_return" : "return",
    hasResponse: node.response !== undefined,
    handleHead: head(`${request}request`),
    handleHeadUnused: head(`${request}/*request*/`),
    handleHeadMaybe: head(`${request}${usesRequest(node) ? "request" : "/*request*/"}`),
    request: node.request,
    response: node.response ?? null,
    callee: node.callee ?? null,
    enumField: node.enumField,
    listField: node.listField,
    usesSequence: node.usesSequence,
    settings: node.settings,
  } as { file: string };
}

/** Whether something in the settings, or a field that is copied, needs the request. */
const usesRequest = ({ settings, response }: NodePlan): boolean =>
  (response?.copied.length ?? 0) > 0 || namesRequest(settings);

function namesRequest(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  // What is said of a field of the response.
  if ("cppType" in value) return false;
  if ("parameters" in value && Array.isArray(value.parameters)) return value.parameters.length > 0;
  if ("expression" in value && typeof value.expression === "string")
    return /\brequest\b/.test(value.expression);
  // A text with a field; one without any words is the whole event.
  if (
    Array.isArray(value) &&
    value.every((piece) => typeof piece === "object" && piece !== null && "literal" in piece)
  )
    return value.length === 0 || value.some((piece: { field: unknown }) => piece.field !== null);
  return Object.values(value).some(namesRequest);
}
