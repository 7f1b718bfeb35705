import type { HandlerPlan, ProjectPlan, ServicePlan } from "../plan/index.js";
import { fitCall } from "./fitLine.js";

/** `nodeState`: include path of the state that the package of a node has made, "" for none. */
export function skeletonContext(plan: ProjectPlan, service: ServicePlan, nodeState: string): object {
  return {
    hasState: service.standard === undefined || nodeState !== "",
    hasMembers: service.standard === undefined || nodeState !== "" || service.calls.length > 0,
    nodeState: nodeState.replace(/^services\//, ""),
    doc: service.doc,
    name: service.name,
    stateHeader: service.stateHeader,
    hasImplementations: service.hasImplementations,
    requestType: service.requestType,
    responseType: service.responseType,
    standard:
      service.standard === undefined
        ? ""
        : `Made from the node \`${service.standard.type}\`: ${service.header.replace(/hpp$/, "cpp")}`,
    includesOptional: service.standard?.mayEnd === true && service.responseType !== "void",
    handlers: service.handlers.map((handler) => ({
      ...handler,
      type: `::${plan.project}::${handler.cppName}`,
      handleDeclaration: fitCall(2, `${service.resultType} handle(`, parameter(service, handler), ");"),
    })),
    hasCalls: service.calls.length > 0,
    partitionLine:
      service.partitionField === ""
        ? ""
        : partitionLine(`&${service.requestType}::${service.partitionField};`),
    stubs: service.calls.map((call) => stubLine(call)),
    hasInlets: service.inlets.length > 0,
    inlets: service.inlets.map((inlet) => inletLine(inlet)),
  };
}

function parameter({ requestType, standard }: ServicePlan, handler: HandlerPlan): string {
  if (standard?.takesRequest === true) return `${requestType}&& request`;
  return handler.changesRequest ? `${requestType}& request` : `const ${requestType}& request`;
}

/** A stub's member, broken inside its template arguments when the names are long. */
function stubLine(call: ServicePlan["calls"][number]): string {
  const line = `    ::penstock::Stub<${call.requestType}, ${call.responseType}> ${call.callee};`;
  return line.length <= 100
    ? line
    : `    ::penstock::Stub<${call.requestType}, ${call.responseType}>\n        ${call.callee};`;
}

/** The same for a flow that takes events from this service. */
function inletLine({ flow, eventType }: ServicePlan["inlets"][number]): string {
  const line = `    ::penstock::Inlet<${eventType}> ${flow};`;
  return line.length <= 100 ? line : `    ::penstock::Inlet<${eventType}>\n        ${flow};`;
}

/** Which member of the request divides the service, broken after the sign when the names are long. */
function partitionLine(member: string): string {
  const open = "  static constexpr auto partition_by =";
  const line = `${open} ${member}`;
  return line.length <= 100 ? line : `${open}\n      ${member}`;
}

export function handlerContext(service: ServicePlan, handler: HandlerPlan): object {
  return {
    header: service.header,
    name: service.name,
    label: handler.label,
    isCoroutine: service.isCoroutine,
    hasResponse: service.responseType !== "void",
    responseType: handler.userResponseType,
    usesRequest: handler.start.asks.some(({ declares }) => declares === ""),
    ...startLines(service, handler),
    handleDefinition: fitCall(
      0,
      `${handler.userResultType} ${handler.cppName}::handle(`,
      `const ${handler.userRequestType}& request`,
      ") {",
    ),
  };
}

/** The drawn calls, each a statement, and the one whose answer is given back. */
function startLines(service: ServicePlan, { start }: HandlerPlan): object {
  const gives = start.answers && service.responseType !== "void";
  const asks = (gives ? start.asks.slice(0, -1) : start.asks).flatMap(({ declares, call }) =>
    declares === "" ? [call] : [declares, call],
  );
  const statement = (text: string): string =>
    `  ${text.length <= 97 ? text : text.replace(/^static_cast<void>\(/, "$&\n      ")};`;
  const answer = start.asks.at(-1)?.call ?? "";
  return {
    asks: asks.map(statement),
    answer: gives ? statement(`${service.isCoroutine ? "co_return" : "return"} ${answer}`) : "",
    isUnwritten: !start.answers,
  };
}

/** A first test, and a first benchmark: calls answer with a default message until the user says otherwise. */
export function testContext(plan: ProjectPlan, service: ServicePlan): object {
  return {
    name: service.name,
    header: service.header,
    requestType: bare(service.requestType),
    hasResponse: service.responseType !== "void",
    handlers: service.handlers.map((handler) => ({
      type: `${plan.project}::${handler.cppName}`,
      title: handler.implementation === "" ? "Answers" : `${handler.implementation}Answers`,
      ...benchContext(service, handler),
      label: handler.label,
      fakes: service.calls.map((call) =>
        fakeLines(
          `${plan.project}::${handler.cppName}`,
          call.callee,
          bare(call.requestType),
          bare(call.responseType),
        ),
      ),
    })),
  };
}

/** Registered under the handler's label, by which `penstock bench` knows whose figure it is. */
function benchContext(service: ServicePlan, handler: HandlerPlan): object {
  const benchName = `${service.name}${handler.implementation}Bench`;
  const calls = [`->Name("${handler.label}")`, "->UseRealTime();"];
  const line = `BENCHMARK(${benchName})${calls.join("")}`;
  const broken = [`BENCHMARK(${benchName})`, ...calls].join("\n    ");
  return { benchName, benchRegistration: line.length <= 100 ? line : broken };
}

const bare = (type: string): string => type.replace(/^::/, "");

/** `service.on(...)` as clang-format lays it out. */
function fakeLines(handlerType: string, callee: string, request: string, response: string): string {
  const member = `&${handlerType}::calls_type::${callee}`;
  const lambda =
    response === "void" ? `[](const ${request}&) {}` : `[](const ${request}&) { return ${response}{}; }`;
  const line = `  service.on(${member}, ${lambda});`;
  return line.length <= 100 ? line : `  service.on(${member},\n             ${lambda});`;
}
