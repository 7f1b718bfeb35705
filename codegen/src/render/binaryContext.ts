import type {
  BinaryPlan,
  CompositionPlan,
  FlowPlan,
  OfferPlan,
  OutletPlan,
  PartPlan,
  ProjectPlan,
  RemotePlan,
  ServicePlan,
  StagePlan,
} from "../plan/index.js";
import { cppString } from "./escape/cpp.js";
import { COLUMN_LIMIT } from "./escape/wrapWords.js";
import { fillUnder, fitArguments } from "./fitLine.js";

type StageLinks = StagePlan & { method: string; types: readonly string[]; args: readonly string[] };

/** What a binary's main() registers: one statement a service, call and flow; or a part of the services, and of the calls. */
export function binaryContext(plan: ProjectPlan, binary: BinaryPlan): object {
  const { parts } = binary;
  return {
    name: binary.name,
    project: plan.project,
    runtimeMajor: String(plan.runtimeMajor),
    runtimeMinor: String(plan.runtimeMinor),
    includes: binary.includes,
    config: binary.config.replace(/^config\//, ""),
    parts: parts.map(({ name: part }) => part),
    services:
      parts.length === 0
        ? binary.services.map((service) => registration(plan.project, service))
        : parts.map((part) => `  ::${plan.project}::register_services_${part.name}(app);`),
    remotes: binary.remotes.map(remoteStatement),
    speaksTls: binary.isSecured || binary.isHttps,
    lastOptions: lastOptions(binary),
    offers: binary.offers.flatMap((offer) => offerStatements(plan.project, offer)),
    openApi: binary.openApi !== undefined,
    exposed: binary.exposed.map(({ service, route }) =>
      typedCall(
        "  app.expose<",
        [service.requestType, service.responseType],
        [cppString(service.name), cppString(route)],
      ),
    ),
    calls:
      parts.length === 0
        ? binary.calls.map(callStatement)
        : parts.map((part) => `  ::${plan.project}::register_calls_${part.name}(app);`),
    inlets: binary.inlets.map((inlet) =>
      fitArguments("  app.inlet(", [
        cppString(inlet.service),
        cppString(inlet.flow),
        `&${inlet.handlerType}::flows_type::${inlet.flow}`,
      ]),
    ),
    flows: binary.flows.map((flow) => flowStatement(plan.project, flow, binary.remotes)),
  };
}

/** A file that registers some of the services of a binary, and the calls that they make. */
export const partContext = (project: string, { name, services, calls }: PartPlan): object => ({
  name,
  includes: services.map(({ header }) => header).sort(),
  services: services.map((service) => registration(project, service)),
  calls: calls.map(callStatement),
});

const callStatement = ({ caller, callee, callerType }: BinaryPlan["calls"][number]): string =>
  fitArguments("  app.call(", [
    cppString(caller),
    cppString(callee),
    `&${callerType}::calls_type::${callee}`,
  ]);

/** What main() gives the application besides what all are given: the runtime's part for TLS. */
const lastOptions = ({ isSecured, isHttps }: BinaryPlan): string =>
  `${[
    ...(isSecured ? [".security = &::penstock::tls"] : []),
    ...(isHttps ? [".http_security = &::penstock::http_tls"] : []),
  ]
    .map((option) => `,\n${" ".repeat(23)}${option}`)
    .join("")}});`;

function registration(project: string, service: ServicePlan): string {
  const types = handlerTypes(project, service);
  const args = [cppString(service.name), `::penstock::Kind::${service.kindEnumerator}`];
  return typedCall("  app.service<", types, [...args, ...optionsOf(service)]);
}

const handlerTypes = (project: string, { handlers }: ServicePlan): string[] =>
  handlers.map((handler) => `::${project}::${handler.cppName}`);

/** The last argument; none where nothing is to be said. */
function optionsOf(
  { deadlineMs, hasImplementations, handlers }: ServicePlan,
  isIdempotent = false,
): string[] {
  const options: string[] = [];
  if (deadlineMs > 0) options.push(`.deadline_ms = ${deadlineMs}`);
  if (isIdempotent) options.push(".idempotent = true");
  if (hasImplementations)
    options.push(`.implementations = {${handlers.map((h) => cppString(h.implementation)).join(", ")}}`);
  return options.length > 0 ? [`{${options.join(", ")}}`] : [];
}

function remoteStatement(remote: RemotePlan): string {
  const { service, binary, isIdempotent } = remote;
  const options = optionsOf(service, isIdempotent);
  const args = [cppString(service.name), cppString(binary), onTheWire(remote), ...options];
  const types = [service.requestType, service.responseType];
  // Of several processes each has values of its own.
  const field = service.partitionField;
  return typedCall(
    "  app.remote<",
    field === "" ? types : [...types, `&${service.requestType}::${field}`],
    args,
  );
}

/** What others call, and each stage of their flows: its handlers say how it answers. */
function offerStatements(project: string, offer: OfferPlan): string[] {
  const { service, stages, requestSchema } = offer;
  const types = [service.requestType, service.responseType];
  const name = cppString(service.name);
  return [
    typedCall("  app.offer<", types, [name, onTheWire(offer)]),
    ...stages.map(({ name: wireName, role, answerSchema }) =>
      typedCall(
        `  app.offer_${role === "side-effect" ? "side_effect" : "map"}<`,
        handlerTypes(project, service),
        [name, onTheWire({ wireName, requestSchema, answerSchema })],
      ),
    ),
  ];
}

const onTheWire = ({
  wireName,
  requestSchema,
  answerSchema,
}: Pick<OfferPlan, "wireName" | "requestSchema" | "answerSchema">): string =>
  `{${[cppString(wireName), requestSchema, answerSchema].join(", ")}}`;

/** A call of a template; several long types are filled under the first one, the arguments follow the last. */
function typedCall(open: string, types: readonly string[], args: readonly string[]): string {
  const line = fitArguments(`${open}${types.join(", ")}>(`, args);
  if (!line.includes("(\n")) return line;
  const filled = fillUnder(open, types, ">(").split("\n");
  return [...filled.slice(0, -1), fitArguments(filled.at(-1)!, args)].join("\n");
}

function flowStatement(project: string, flow: FlowPlan, remotes: readonly RemotePlan[]): string {
  const open = `${sourceLink(project, flow)}(${cppString(flow.name)})`;
  const away = new Map(remotes.map((remote) => [remote.service.name, remote]));
  const stages = flow.stages.map((stage) => ({
    ...stage,
    ...stageCall(flow, stage, away.get(stage.service)),
  }));
  // What another binary runs is no part of one function here.
  const compositions = flow.stages.some(({ service }) => away.has(service)) ? [] : flow.compositions;
  const links = [...stages.flatMap(stageLinks), ...compositions.map(composeLink)];
  // One or two links stay on a line where they fit, as clang-format has it.
  const line = `${open}${links.join("")};`;
  if (links.length < 2 && line.length <= COLUMN_LIMIT) return line;
  return `${open}\n${links.map((link) => `      ${link}`).join("\n")};`;
}

/** How main() registers a source: by the class of the flow, of the project's own source, or the runtime's for its kind. */
function sourceLink(project: string, { name, isGenerated, own, eventType, setting }: FlowPlan): string {
  if (isGenerated) return `  app.flow<::${project}::${name}>`;
  if (own === undefined) return `  app.${setting.kind}_flow<${eventType}>`;
  return fillUnder("  app.source_flow<", [`${own.type}::Source<${eventType}>`, `${own.type}::Settings`], ">");
}

/** What adds a stage: the types that it names are its handlers, or what is sent to who runs it and what comes back. */
function stageCall(
  flow: FlowPlan,
  { id, service: name, builderMethod, handlerTypes: types }: StagePlan,
  away: RemotePlan | undefined,
): Pick<StageLinks, "method" | "types" | "args"> {
  const args = [cppString(id), cppString(name)];
  const outlet = away?.stages.find((stage) => stage.name === `${flow.name}.${id}`);
  if (away === undefined || outlet === undefined) return { method: builderMethod, types, args };
  return {
    method: `remote_${builderMethod}`,
    types: remoteTypes(away.service, outlet),
    args: [...args, outlet.answerSchema],
  };
}

function remoteTypes(
  { requestType, responseType, partitionField, standard }: ServicePlan,
  { role }: OutletPlan,
): string[] {
  // Of several processes each has values of its own.
  const field = partitionField === "" ? [] : [`&${requestType}::${partitionField}`];
  if (role === "catch") return [responseType];
  if (role === "side-effect") return [requestType, ...field];
  const outlives =
    standard?.outlivesDeadline === true ? [...(field.length > 0 ? [] : ["nullptr"]), "true"] : [];
  return [requestType, responseType, ...field, ...outlives];
}

/** The calls that add a stage: what it is, whom it follows, for which values. */
function stageLinks(stage: StageLinks): string[] {
  const links = [stageLink(stage)];
  if (stage.after.length > 0)
    links.push(fillUnder("      .after({", stage.after.map(cppString), "})").trimStart());
  if (stage.when !== undefined)
    links.push(fillUnder(`      .when<&${stage.when.member}>({`, stage.when.values, "})").trimStart());
  return links;
}

/** The call that makes one function of stages. */
function composeLink({ first, stages }: CompositionPlan): string {
  const line = `.compose<${stages.join(", ")}>(${cppString(first)})`;
  if (line.length + 7 <= COLUMN_LIMIT) return line;
  return fillUnder("      .compose<", stages, `>(${cppString(first)})`).trimStart();
}

function stageLink(stage: StageLinks): string {
  const call = `.${stage.method}<${stage.types.join(", ")}>(`;
  const args = `${stage.args.join(", ")})`;
  if (call.length + args.length + 7 <= COLUMN_LIMIT) return call + args;
  if (call.length + 6 <= COLUMN_LIMIT) return `${call}\n          ${args}`;
  return fillUnder(`      .${stage.method}<`, stage.types, `>(${args}`).trimStart();
}
