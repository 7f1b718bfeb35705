import type { Topology } from "@penstock/codegen/topology";
import { steps } from "./placeOf.js";
import type { FixSource, QuickFix } from "../../registry/feature.js";
import { edit, reveal } from "../../kernel/document/index.js";
import { addBundle, freshBundleName, moveToBundle } from "../../kernel/document/edits/bundles.js";
import { addMessage, freshMessageName } from "../../kernel/document/edits/messages.js";
import { patchService } from "../../kernel/document/edits/services.js";
import { appendStage, patchFlow, removeFlow } from "../../kernel/document/edits/flows.js";
import { addBinaryFor } from "../../drawing/edits/group.js";

/** The fixes of one problem, by its code; the index is of the list that its pointer names first. */
type Fixer = (topology: Topology, index: number, path: readonly string[]) => QuickFix[];

const served: Fixer = (topology, _index, path) => {
  const name = serviceMeant(topology, path);
  return name === undefined ? [] : bundleFixes(topology, { services: [name], flows: [] });
};
const request: Fixer = (topology, index, [, , key]) =>
  key === "request" || key === "response" ? typeFixes(topology, index, key) : eventFixes(topology, index);
const placed: Fixer = (topology, index, [, , , service]) => placementFixes(topology, index, service ?? "");

const FIXES: Readonly<Record<string, Fixer>> = {
  PS301: request,
  PS302: request,
  PS401: (topology, index) => eventFixes(topology, index),
  PS402: (topology, index) => emptyFlowFixes(topology, index),
  PS506: placed,
  PS507: (topology, index, path) => [
    ...servedHereFixes(topology, index, path[3] ?? ""),
    ...placed(topology, index, path),
  ],
  PS614: (topology, index) => {
    const service = topology.services[index]?.name;
    return service === undefined ? [] : bundleFixes(topology, { services: [service], flows: [] });
  },
  PS615: (topology, index) => {
    const bundle = topology.bundles[index]?.name;
    return bundle === undefined ? [] : binaryFixes(topology, bundle);
  },
  PS616: (topology, index) => {
    const flow = topology.flows[index]?.name;
    return flow === undefined ? [] : bundleFixes(topology, { services: [], flows: [flow] });
  },
  PS620: served,
  PS622: served,
};

/** What can be drawn otherwise to make a problem go away. */
export const drawnFixes: FixSource = (problem, topology) => {
  const path = steps(problem.pointer);
  return FIXES[problem.code]?.(topology, Number(path[1]), path) ?? [];
};

/** A flow that leads nowhere yet: a service that takes its event may follow, or the flow goes. */
function emptyFlowFixes(topology: Topology, index: number): QuickFix[] {
  const flow = topology.flows[index];
  if (!flow || flow.stages.length > 0) return [];
  const taker = topology.services.find((service) => service.request === flow.event);
  const lead: QuickFix[] = taker
    ? [
        {
          label: `Lead it into ${taker.name}`,
          perform: () =>
            void edit(`Add ${taker.name} to ${flow.name}`, (model) =>
              appendStage(model, flow.name, taker.name, undefined, taker.response ? "map" : "side-effect"),
            ),
        },
      ]
    : [];
  return [
    ...lead,
    {
      label: "Remove the flow",
      perform: () => void edit(`Remove ${flow.name}`, (model) => removeFlow(model, flow.name)),
    },
  ];
}

/** A service that is in no bundle goes into one of the binary that places it. */
function servedHereFixes(topology: Topology, index: number, service: string): QuickFix[] {
  const here = topology.binaries[index]?.bundles[0];
  const bundle = topology.bundles.find(({ name }) => name === here);
  if (!bundle || topology.bundles.some(({ services }) => services.includes(service))) return [];
  return [addTo(bundle, { services: [service], flows: [] })];
}

const addTo = ({ name }: { name: string }, members: { services: string[]; flows: string[] }): QuickFix => ({
  label: `Add to ${name}`,
  perform: () => void edit(`Add to ${name}`, (model) => moveToBundle(model, members, name)),
});

function placementFixes(topology: Topology, index: number, service: string): QuickFix[] {
  const binary = topology.binaries[index];
  if (!binary || !Object.hasOwn(binary.placement, service)) return [];
  return [
    {
      label: "Remove the placement",
      perform: () =>
        void edit(`Remove the placement of ${service}`, (model) => ({
          ...model,
          topology: {
            ...model.topology,
            binaries: model.topology.binaries.map((item) =>
              item.name === binary.name
                ? {
                    ...item,
                    placement: Object.fromEntries(
                      Object.entries(item.placement).filter(([name]) => name !== service),
                    ),
                  }
                : item,
            ),
          },
        })),
    },
  ];
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
  // One that some binary runs makes it run.
  const runs = (bundle: { name: string }) =>
    topology.binaries.some(({ bundles }) => bundles.includes(bundle.name));
  const bundles = [...topology.bundles.filter(runs), ...topology.bundles.filter((bundle) => !runs(bundle))];
  const fixes = bundles.slice(0, 2).map((bundle) => addTo(bundle, members));
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
  const use = topology.messages
    .filter(({ name }) => name !== wanted)
    .slice(0, 2)
    .map((message): QuickFix => ({
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
  if (!flow || !type || type === flow.event || !topology.messages.some(({ name }) => name === type))
    return [];
  return [
    {
      label: `Use ${type}`,
      perform: () => void edit("Set event", (model) => patchFlow(model, flow.name, { event: type })),
    },
  ];
}
