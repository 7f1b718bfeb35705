import type {
  BinaryPlan,
  CompositionPlan,
  FlowPlan,
  ProjectPlan,
  ServicePlan,
  StagePlan,
} from "../plan/index.js";
import { cppString } from "./escape/cpp.js";
import { fillUnder, fitArguments } from "./fitLine.js";

const COLUMN_LIMIT = 100;

/** What a binary's main() registers: one statement a service, call and flow. */
export function binaryContext(plan: ProjectPlan, binary: BinaryPlan): object {
  return {
    name: binary.name,
    project: plan.project,
    runtimeMajor: String(plan.runtimeMajor),
    runtimeMinor: String(plan.runtimeMinor),
    includes: binary.includes,
    config: binary.config.replace(/^config\//, ""),
    services: binary.services.map((service) => registration(plan.project, service)),
    calls: binary.calls.map((call) =>
      fitArguments("  app.call(", [
        cppString(call.caller),
        cppString(call.callee),
        `&${call.callerType}::calls_type::${call.callee}`,
      ]),
    ),
    inlets: binary.inlets.map((inlet) =>
      fitArguments("  app.inlet(", [
        cppString(inlet.service),
        cppString(inlet.flow),
        `&${inlet.handlerType}::flows_type::${inlet.flow}`,
      ]),
    ),
    flows: binary.flows.map((flow) => flowStatement(plan.project, flow)),
  };
}

function registration(project: string, service: ServicePlan): string {
  const types = service.handlers.map((handler) => `::${project}::${handler.cppName}`);
  const options: string[] = [];
  if (service.deadlineMs > 0) options.push(`.deadline_ms = ${service.deadlineMs}`);
  if (service.hasImplementations)
    options.push(
      `.implementations = {${service.handlers.map((h) => cppString(h.implementation)).join(", ")}}`,
    );
  const args = [cppString(service.name), `::penstock::Kind::${service.kindEnumerator}`];
  if (options.length > 0) args.push(`{${options.join(", ")}}`);
  const line = fitArguments(`  app.service<${types.join(", ")}>(`, args);
  if (!line.includes("(\n")) return line;
  // Several long class names: they are filled under the first one, the arguments follow the last.
  const open = fillUnder("  app.service<", types, ">(").split("\n");
  return [...open.slice(0, -1), fitArguments(open.at(-1)!, args)].join("\n");
}

function flowStatement(project: string, flow: FlowPlan): string {
  const open = `${sourceLink(project, flow)}(${cppString(flow.name)})`;
  const links = [...flow.stages.flatMap(stageLinks), ...flow.compositions.map(composeLink)];
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

/** The calls that add a stage: what it is, whom it follows, for which values. */
function stageLinks(stage: StagePlan): string[] {
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

function stageLink(stage: StagePlan): string {
  const call = `.${stage.builderMethod}<${stage.handlerTypes.join(", ")}>(`;
  const args = `${cppString(stage.id)}, ${cppString(stage.service)})`;
  if (call.length + args.length + 7 <= COLUMN_LIMIT) return call + args;
  if (call.length + 6 <= COLUMN_LIMIT) return `${call}\n          ${args}`;
  return fillUnder(`      .${stage.builderMethod}<`, stage.handlerTypes, `>(${args}`).trimStart();
}
