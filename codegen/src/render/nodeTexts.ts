import type { ProjectPlan, ServicePlan } from "../plan/index.js";
import { banner } from "./fileTree.js";
import { nodeContext } from "./nodeContext.js";
import { renderNodeTemplate, type NodeTemplateUse } from "./nodeTemplate.js";

/** The templates of a node's package. */
export interface NodeTemplates {
  handler: string;
  state?: string;
  /** One that the project brings along: a stranger's. */
  own?: boolean;
}

/** What they make for one service; a blank state is none. */
export interface NodeTexts {
  state: string;
  handler: string;
}

/** How the templates are used for a service. */
export function nodeTemplateUses(
  plan: ProjectPlan,
  service: ServicePlan,
  { handler, state = "" }: NodeTemplates,
): { state: NodeTemplateUse; handler: NodeTemplateUse } {
  const { type } = service.standard!;
  const context = (path: string) => ({ ...nodeContext(plan, service, path), banner: banner(plan.version) });
  return {
    state: { type, name: "state.hbs", text: state, context: context(service.stateHeader) },
    handler: { type, name: "handler.hbs", text: handler, context: context(nodeSource(service)) },
  };
}

/** The generated file of a node's handler. */
export const nodeSource = (service: ServicePlan): string => service.header.replace(/hpp$/, "cpp");

/** The texts, rendered here and now: for templates of the house. Throws a NodeTemplateError. */
export function nodeTexts(plan: ProjectPlan, service: ServicePlan, templates: NodeTemplates): NodeTexts {
  const { state, handler } = nodeTemplateUses(plan, service, templates);
  return { state: renderNodeTemplate(state), handler: renderNodeTemplate(handler) };
}

/** Stands for texts where only files count: no template is run, or so much as read. */
export const unrenderedTexts = ({ handler, state = "" }: NodeTemplates): NodeTexts => ({ state, handler });
