import type { ProjectPlan, ServicePlan } from "../plan/index.js";
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
    handleHeadMaybe: head(`${request}${node.usesRequest ? "request" : "/*request*/"}`),
    request: node.request,
    response: node.response ?? null,
    callee: node.callee ?? null,
    enumField: node.enumField,
    listField: node.listField,
    usesSequence: node.usesSequence,
    settings: node.settings,
  } as { file: string };
}
