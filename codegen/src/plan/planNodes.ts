import {
  counts,
  environmentOf,
  listsOf,
  nodePorts,
  settingsWithDefaults,
  type NodeManifest,
  type NodePalette,
  type NodePorts,
  type NodeSettings,
  type SettingSchema,
} from "../model/manifests/index.js";
import {
  FAILURE,
  type Field,
  type Message,
  type Service,
  type Topology,
  type TopologyIndex,
} from "../model/topology/index.js";
import { describeField } from "./describeField.js";
import { NodeSettingPlanner } from "./planNodeSettings.js";
import { ERROR_CODE, TypeSpeller } from "./planTypes.js";
import type { NodeFieldPlan, NodeMessagePlan, NodePlan } from "./projectPlan.js";

/** Decides what the handler of a node is made from; its package is in the palette (validation comes first). */
export class NodePlanner {
  readonly #speller: TypeSpeller;

  constructor(
    topology: Topology,
    private readonly index: TopologyIndex,
    private readonly palette: NodePalette,
  ) {
    this.#speller = new TypeSpeller(topology);
  }

  plan(service: Service, stateHeader: string): NodePlan | undefined {
    const { node } = service;
    const manifest = node && this.palette.get(node.type);
    if (node === undefined || manifest === undefined) return undefined;
    const ports = nodePorts(service, this.index);
    const settings = settingsWithDefaults(manifest, node.settings);
    const request = this.#message(service.request, ports.request, () => false);
    const response =
      service.response === undefined
        ? undefined
        : this.#message(
            service.response,
            ports.response,
            this.#copies(service, ports, madeFields(manifest, node.settings, ports)),
          );
    const { callee } = ports;
    const planner = new NodeSettingPlanner({
      place: `services/${service.name}/node/settings`,
      request,
      response,
      enumType: ports.decides && this.#speller.own(ports.decides.field.type),
    });
    const planned = planner.all(manifest, settings);
    return {
      type: manifest.type,
      title: manifest.title,
      stateHeader,
      mayEnd: manifest.flowOnly === true,
      outlivesDeadline: manifest.outlivesDeadline === true,
      takesRequest: manifest.takesRequest === true,
      request,
      response,
      enumField: ports.decides?.field.name ?? "",
      listField: listsOf(ports.response, service.request)[0]?.name ?? "",
      usesSequence: planner.usesSequence,
      usesRequest: planner.usesRequest || (response?.copied.length ?? 0) > 0,
      callee: callee && {
        name: callee.name,
        requestType: this.#speller.message(callee.request),
        responseType: callee.response === undefined ? "void" : this.#speller.message(callee.response),
      },
      environment: environmentOf(manifest, node.settings),
      settings: planned,
    };
  }

  #message(name: string, message: Message | undefined, isCopied: (field: Field) => boolean): NodeMessagePlan {
    const fields = message?.fields ?? [];
    const describe = (field: Field): NodeFieldPlan => {
      const described = describeField(field, name, this.index, this.#speller);
      return name === FAILURE && field.name === "code" ? { ...described, cppType: ERROR_CODE } : described;
    };
    const planned = fields.map(describe);
    return {
      name,
      type: this.#speller.message(name),
      fields: planned,
      columns: planned.filter((field) => field.isColumn),
      copied: fields.filter(isCopied).map(describe),
    };
  }

  /** Whether a field of the response is merely copied from the request: there is one that C++ assigns to it. */
  #copies(
    { request: from, response: to = "" }: Service,
    { request }: NodePorts,
    made: ReadonlySet<string>,
  ): (field: Field) => boolean {
    const spelled = (field: Field, holder: string): string => this.#speller.field(field, holder).cppType;
    const isTwin = (one: Field, other: Field): boolean =>
      one.name === other.name && one.type === other.type && spelled(one, to) === spelled(other, from);
    return (field) => !made.has(field.name) && request?.fields.some((other) => isTwin(field, other)) === true;
  }
}

/** Fields of the response that the node decides, or that a setting which counts names: not copied from the request. */
function madeFields(
  manifest: NodeManifest,
  settings: NodeSettings,
  { decides }: NodePorts,
): ReadonlySet<string> {
  const made = new Set<string>();
  if (manifest.ports.response.needs === "one-enum" && decides !== undefined) made.add(decides.field.name);
  const { properties } = manifest.settings;
  const filled = settingsWithDefaults(manifest, settings);
  for (const [key, schema] of Object.entries(properties))
    if (counts(schema, properties, settings)) namesIn(schema, filled[key], made);
  return made;
}

function namesIn(schema: SettingSchema, value: unknown, into: Set<string>): void {
  if (schema.format === "field-of-response" && typeof value === "string") into.add(value);
  if (schema.propertyNames?.format === "field-of-response" && typeof value === "object" && value !== null)
    for (const key of Object.keys(value)) into.add(key);
}
