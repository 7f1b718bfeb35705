import type { Problem } from "@penstock/codegen/diagnostics";
import { parseNodeRef, type Topology } from "@penstock/codegen/topology";
import { handlerStore, showHandlerChanges } from "../code/handlerChanges.js";
import { documentStore, edit, reveal } from "../document/index.js";
import { addBundle, freshBundleName, moveToBundle } from "../document/edits/bundles.js";
import { addMessage, freshMessageName } from "../document/edits/messages.js";
import { patchService } from "../document/edits/services.js";
import { patchFlow } from "../document/edits/flows.js";
import { addBinaryFor } from "../canvas/actions/group.js";

/** One click that makes a problem go away. */
export interface QuickFix {
  label: string;
  perform: () => void;
}

const CODE_NOT_DRAWN = "PS710";

/** The names that are drawn, where they are known; the patch is looked at before anything changes. */
const codeFixes = ({ file }: Problem): QuickFix[] =>
  handlerStore.getState().changes.some(({ path }) => path === file)
    ? [{ label: "Change the code…", perform: () => void showHandlerChanges() }]
    : [];

/** What a pointer goes through, one key a step. */
const steps = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The fixes that fit what is drawn now; none where only the user can know. */
export function quickFixes(problem: Problem, topology: Topology): QuickFix[] {
  if (problem.code === CODE_NOT_DRAWN) return codeFixes(problem);
  const [list, at, key] = steps(problem.pointer);
  const index = Number(at);
  if (list === "services" && key === undefined) {
    const service = topology.services[index];
    if (service && !topology.bundles.some((bundle) => bundle.services.includes(service.name)))
      return bundleFixes(topology, { services: [service.name], flows: [] });
  }
  if (list === "flows" && key === undefined) {
    const flow = topology.flows[index];
    if (flow && !topology.bundles.some((bundle) => bundle.flows.includes(flow.name)))
      return bundleFixes(topology, { services: [], flows: [flow.name] });
  }
  const unserved = serviceMeant(topology, steps(problem.pointer));
  if (unserved !== undefined) return bundleFixes(topology, { services: [unserved], flows: [] });
  if (list === "bundles" && key === undefined) {
    const bundle = topology.bundles[index];
    if (bundle && !topology.binaries.some((binary) => binary.bundles.includes(bundle.name)))
      return binaryFixes(topology, bundle.name);
  }
  if (list === "services" && (key === "request" || key === "response"))
    return typeFixes(topology, index, key);
  if (list === "flows" && key === "event") return eventFixes(topology, index);
  return [];
}

/** The stage's service or the callee a pointer names, when no bundle has it. */
function serviceMeant(topology: Topology, path: readonly string[]): string | undefined {
  const [list, at, key, inner, more] = path;
  if (inner === undefined || more !== undefined) return undefined;
  const name =
    list === "flows" && key === "stages"
      ? topology.flows[Number(at)]?.stages[Number(inner)]?.service
      : list === "services" && key === "calls"
        ? topology.services[Number(at)]?.calls[Number(inner)]
        : undefined;
  const known = topology.services.some((service) => service.name === name);
  const bundled = topology.bundles.some((bundle) => name !== undefined && bundle.services.includes(name));
  return known && !bundled ? name : undefined;
}

function bundleFixes(topology: Topology, members: { services: string[]; flows: string[] }): QuickFix[] {
  const fixes = topology.bundles.slice(0, 2).map((bundle): QuickFix => ({
    label: `Add to ${bundle.name}`,
    perform: () => void edit(`Add to ${bundle.name}`, (model) => moveToBundle(model, members, bundle.name)),
  }));
  if (fixes.length > 0) return fixes;
  return [
    {
      label: "Make a bundle of everything",
      perform: () => {
        const name = freshBundleName(topology);
        const all = {
          services: topology.services.map((service) => service.name),
          flows: topology.flows.map((flow) => flow.name),
        };
        edit(`Add bundle ${name}`, (model) => addBundle(model, name, all));
      },
    },
  ];
}

function binaryFixes(topology: Topology, bundle: string): QuickFix[] {
  const served = topology.binaries.slice(0, 1).map((binary): QuickFix => ({
    label: `Add to ${binary.name}`,
    perform: () =>
      void edit(`Serve ${bundle} in ${binary.name}`, (model) => ({
        ...model,
        topology: {
          ...model.topology,
          binaries: model.topology.binaries.map((item) =>
            item.name === binary.name ? { ...item, bundles: [...item.bundles, bundle] } : item,
          ),
        },
      })),
  }));
  return [...served, { label: "Add binary for this bundle", perform: () => void addBinaryFor(bundle) }];
}

function typeFixes(topology: Topology, index: number, key: "request" | "response"): QuickFix[] {
  const service = topology.services[index];
  if (!service) return [];
  const wanted = service[key];
  const set = (name: string) =>
    void edit(`Set ${key}`, (model) => patchService(model, service.name, { [key]: name }));
  const use = topology.messages.slice(0, 2).map((message): QuickFix => ({
    label: `Use ${message.name}`,
    perform: () => set(message.name),
  }));
  const legal = wanted && /^[A-Z][A-Za-z0-9]*$/.test(wanted) ? wanted : freshMessageName(topology);
  const make: QuickFix = {
    label: `New message ${legal}`,
    perform: () => {
      edit(`Add message ${legal}`, (model) =>
        patchService(addMessage(model, legal), service.name, { [key]: legal }),
      );
      reveal(`message:${legal}`);
    },
  };
  return [...use, make].slice(0, 2);
}

function eventFixes(topology: Topology, index: number): QuickFix[] {
  const flow = topology.flows[index];
  const first = flow?.stages[0]?.service;
  const type =
    topology.services.find((service) => service.name === first)?.request ?? topology.messages[0]?.name;
  if (!flow || !type) return [];
  return [
    {
      label: `Use ${type}`,
      perform: () => void edit("Set event", (model) => patchFlow(model, flow.name, { event: type })),
    },
  ];
}

/** The thing a problem is about, for jumping there. */
export function placeOf(problem: Problem): string | undefined {
  if (problem.node !== undefined && parseNodeRef(problem.node)) return problem.node;
  const { topology } = documentStore.getState();
  const [list, at, , inner] = steps(problem.pointer);
  const index = Number(at);
  if (list === "messages") return refOf("message", topology.messages[index]?.name);
  if (list === "enums") return refOf("enum", topology.enums[index]?.name);
  if (list === "services") return refOf("service", topology.services[index]?.name);
  if (list === "bundles") return refOf("bundle", topology.bundles[index]?.name);
  if (list === "binaries") return refOf("binary", topology.binaries[index]?.name);
  if (list === "flows") {
    const flow = topology.flows[index];
    const stage = flow?.stages[Number(inner)];
    return stage ? `stage:${flow?.name}/${stage.id}` : refOf("flow", flow?.name);
  }
  return undefined;
}

const refOf = (kind: string, name: string | undefined): string | undefined =>
  name === undefined ? undefined : `${kind}:${name}`;
