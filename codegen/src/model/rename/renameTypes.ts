import {
  decidingField,
  madeFields,
  flowValues,
  indexTopology,
  type Field,
  type Flow,
  type Service,
  type Topology,
} from "../topology/index.js";
import type { NodePalette } from "../manifests/index.js";
import { changeEntries, changeSettings, type SettingChange } from "./changeSettings.js";
import {
  changeGenerator,
  renameEnumerator,
  renameNamespace,
  renameRequestField,
  renameType,
} from "./renameInSettings.js";
import { renameKey } from "./renameKey.js";

// Renames return a new topology in which every reference follows; parts that do not change are kept as
// they are (the same objects), and an unknown name changes nothing. Whether the new name is a good one
// is for the checks to say. User files follow by the `renames` of a save.

/** The project, and the C++ of settings that names its namespace; `palette` as of a message. */
export function renameProject(topology: Topology, name: string, palette: NodePalette = new Map()): Topology {
  const expression = (code: string): string => renameNamespace(code, topology.name, name);
  return { ...changeExpressions(topology, expression, palette), name };
}

/**
 * A message: its own name, the fields of its type, requests, responses and events, and the C++ of settings that
 * names it. `palette` tells what the settings of nodes mean; those of other nodes stay as they are.
 */
export function renameMessage(
  topology: Topology,
  from: string,
  to: string,
  palette: NodePalette = new Map(),
): Topology {
  const { messages, services, flows } = renameTypeUses(topology, from, to, palette);
  return {
    ...topology,
    messages: messages.map((message) => (message.name === from ? { ...message, name: to } : message)),
    services: services.map((service) => {
      if (service.request !== from && service.response !== from) return service;
      const request = service.request === from ? to : service.request;
      return service.response === from ? { ...service, request, response: to } : { ...service, request };
    }),
    flows: flows.map((flow) => (flow.event === from ? { ...flow, event: to } : flow)),
  };
}

/** An enum: its own name, the fields of its type, and the C++ of settings that names it; `palette` as of a message. */
export function renameEnum(
  topology: Topology,
  from: string,
  to: string,
  palette: NodePalette = new Map(),
): Topology {
  const enums = topology.enums.map((item) => (item.name === from ? { ...item, name: to } : item));
  return { ...renameTypeUses(topology, from, to, palette), enums };
}

/**
 * A value of an enum: the branches that are taken by it, the events and settings that name it. `palette`
 * tells what the settings of nodes mean; those of other nodes stay as they are.
 */
export function renameEnumValue(
  topology: Topology,
  enumName: string,
  from: string,
  to: string,
  palette: NodePalette = new Map(),
): Topology {
  const enums = topology.enums.map((item) =>
    item.name === enumName
      ? {
          ...item,
          values: item.values.map((value) => (value.name === from ? { ...value, name: to } : value)),
        }
      : item,
  );
  const index = indexTopology(topology);
  const typeOf = (message: string | undefined, field: string): string | undefined =>
    index.messages.get(message ?? "")?.item.fields.find(({ name }) => name === field)?.type;
  const expression = (code: string): string => renameEnumerator(code, enumName, from, to);
  const made = (message: string | undefined, field: string, generator: unknown): unknown =>
    changeGenerator(generator, {
      expression,
      choice: (value) => (value === from && typeOf(message, field) === enumName ? to : value),
    });
  const decides = enumsOfBranches(topology);
  const flows = topology.flows.map((flow) => ({
    ...changeEvent(flow, (event) =>
      changeEntries(event, (field, generator) => [field, made(flow.event, field, generator)]),
    ),
    stages: flow.stages.map((stage, at) => {
      if (stage.when === undefined || !decides(flow.name, at).includes(enumName)) return stage;
      const when =
        typeof stage.when === "string"
          ? swap(stage.when, from, to)
          : stage.when.map((value) => swap(value, from, to));
      return { ...stage, when };
    }),
  }));
  const services = topology.services.map((service) => {
    const decided = service.response === undefined ? undefined : decidingField(index, service.response)?.type;
    return changeNode(service, palette, {
      text: (format, value) =>
        format === "enum-value" && decided === enumName
          ? swap(value, from, to)
          : format === "cpp-expression"
            ? expression(value)
            : value,
      generator: (field, value) => made(service.response, field, value),
    });
  });
  return { ...topology, enums, flows, services };
}

/**
 * A field of a message: the partitions by it, the events and settings that name it. `palette` tells what
 * the settings of nodes mean; those of other nodes stay as they are.
 */
export function renameField(
  topology: Topology,
  message: string,
  from: string,
  to: string,
  palette: NodePalette = new Map(),
): Topology {
  const rename = (field: Field): Field => (field.name === from ? { ...field, name: to } : field);
  const inNode = (service: Service): Service =>
    changeNode(service, palette, {
      text: (format, value) => {
        if (format === "field-of-response")
          return service.response === message ? swap(value, from, to) : value;
        return service.request === message ? renameRequestField(format, value, from, to) : value;
      },
      generator: (_, value) =>
        service.request === message
          ? changeGenerator(value, {
              expression: (code) => renameRequestField("cpp-expression", code, from, to),
            })
          : value,
    });
  return {
    ...topology,
    messages: topology.messages.map((item) =>
      item.name === message ? { ...item, fields: item.fields.map(rename) } : item,
    ),
    services: topology.services.map((service) =>
      inNode(
        service.request === message && service.partitionBy === from
          ? { ...service, partitionBy: to }
          : service,
      ),
    ),
    flows: topology.flows.map((flow) =>
      flow.event === message ? changeEvent(flow, (event) => renameKey(event, from, to)) : flow,
    ),
  };
}

/** The flow with `change` of how the fields of its events are made. */
function changeEvent(flow: Flow, change: (event: Record<string, unknown>) => Record<string, unknown>): Flow {
  const { source } = flow;
  const made = madeFields(source);
  if (made === undefined) return flow;
  const event = change(made);
  return event === made ? flow : { ...flow, source: { ...source, event } };
}

/** The service with `change` of its settings, where it is a node that is known. */
function changeNode(service: Service, palette: NodePalette, change: SettingChange): Service {
  const { node } = service;
  const manifest = node && palette.get(node.type);
  if (node === undefined || manifest === undefined) return service;
  const settings = changeSettings(manifest.settings, node.settings, change) as typeof node.settings;
  return settings === node.settings ? service : { ...service, node: { ...node, settings } };
}

const swap = (value: string, from: string, to: string): string => (value === from ? to : value);

/** The topology with `change` of each expression in C++ that a drawing has: of nodes, and of how events are made. */
function changeExpressions(
  topology: Topology,
  change: (code: string) => string,
  palette: NodePalette,
): Topology {
  const made = (generator: unknown): unknown => changeGenerator(generator, { expression: change });
  return {
    ...topology,
    flows: topology.flows.map((flow) =>
      changeEvent(flow, (event) => changeEntries(event, (field, generator) => [field, made(generator)])),
    ),
    services: topology.services.map((service) =>
      changeNode(service, palette, {
        text: (format, value) => (format === "cpp-expression" ? change(value) : value),
        generator: (_, value) => made(value),
      }),
    ),
  };
}

function renameTypeUses(drawn: Topology, from: string, to: string, palette: NodePalette): Topology {
  const topology = changeExpressions(drawn, (code) => renameType(code, drawn.name, from, to), palette);
  const messages = topology.messages.map((message) =>
    message.fields.some(({ type }) => type === from)
      ? {
          ...message,
          fields: message.fields.map((field) => (field.type === from ? { ...field, type: to } : field)),
        }
      : message,
  );
  return { ...topology, messages };
}

/** The enums that decide the branch of a stage. */
function enumsOfBranches(topology: Topology): (flow: string, stage: number) => string[] {
  const index = indexTopology(topology);
  const values = new Map(topology.flows.map((flow) => [flow.name, flowValues(flow, index)]));
  return (flow, stage) =>
    (values.get(flow)?.[stage]?.arrives ?? []).flatMap((name) => {
      const field = name === undefined ? undefined : decidingField(index, name);
      return field === undefined ? [] : [field.type];
    });
}
