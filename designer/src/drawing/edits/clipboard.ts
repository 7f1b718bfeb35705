import {
  type Flow,
  parseTopology,
  printTopology,
  type Service,
  type Topology,
} from "@penstock/codegen/topology";
import { removeStage } from "@penstock/codegen/rename";
import { freshName, patched, type DocumentModel } from "../../kernel/document/model.js";
import { documentStore, edit, emptyTopology } from "../../kernel/document/store.js";
import { moveToBundle } from "../../kernel/document/edits/bundles.js";
import { addFlow, flowRef, serviceRef, stageRef, nodeOfService } from "../../kernel/document/edits/flows.js";
import { placed } from "../../kernel/document/edits/layout.js";
import { freePlaces } from "../geometry/freeSpot.js";
import { sharedNames } from "../../kernel/document/edits/messages.js";
import { addService } from "../../kernel/document/edits/services.js";
import { canvasBoxes } from "../geometry/boxes.js";
import { membersOf } from "./group.js";

/** What is copied is a topology by itself, so that it can be pasted into another project or a file. */
interface Clip {
  topology: Topology;
  places: Record<string, { x: number; y: number }>;
}

/** Used where the browser refuses the system's clipboard. */
let lastClip = "";

function clipOf(model: DocumentModel, selection: readonly string[]): Clip | undefined {
  const members = membersOf(model.topology, selection);
  const names = new Set(members.services);
  const flows = model.topology.flows.filter((flow) => members.flows.includes(flow.name));
  if (names.size + flows.length === 0) return undefined;
  // What follows a stage that stays behind follows what that one followed.
  const copied = flows
    .flatMap(({ name, stages }) => stages.map(({ id, service }) => ({ name, id, service })))
    .filter(({ service }) => !names.has(service))
    .reduce((left, { name, id }) => removeStage(left, name, id), model.topology).flows;
  const services = model.topology.services
    .filter((service) => names.has(service.name))
    .map((service) => ({ ...service, calls: service.calls.filter((callee) => names.has(callee)) }));
  const kept = copied
    .filter((flow) => members.flows.includes(flow.name))
    .map((flow) => ({ ...flow, stages: flow.stages.map((stage) => patched(stage, { join: undefined })) }));
  const boxes = canvasBoxes(model.topology, model.layout);
  const places: Clip["places"] = {};
  for (const service of services) {
    const box = boxes.get(nodeOfService(model.topology, service.name));
    if (box) places[serviceRef(service.name)] = { x: box.x, y: box.y };
  }
  for (const flow of kept) {
    const box = boxes.get(flowRef(flow.name));
    if (box) places[flowRef(flow.name)] = { x: box.x, y: box.y };
  }
  const { messages, enums } = typesUsed(model.topology, services, kept);
  return { topology: { ...emptyTopology("clip"), messages, enums, services, flows: kept }, places };
}

/** The messages and enums that copied things need, with what those need. */
function typesUsed(
  topology: Topology,
  services: Service[],
  flows: Flow[],
): Pick<Topology, "messages" | "enums"> {
  const wanted = new Set<string>();
  const queue = [
    ...services.flatMap((service) => [service.request, service.response ?? ""]),
    ...flows.map((flow) => flow.event),
  ];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (wanted.has(name)) continue;
    wanted.add(name);
    queue.push(
      ...(topology.messages.find((item) => item.name === name)?.fields.map((field) => field.type) ?? []),
    );
  }
  return {
    messages: topology.messages.filter((item) => wanted.has(item.name)),
    enums: topology.enums.filter((item) => wanted.has(item.name)),
  };
}

const written = (clip: Clip): string =>
  `${printTopology(clip.topology).trimEnd()}\n// penstock places ${JSON.stringify(clip.places)}\n`;

function readClip(text: string): Clip | undefined {
  const [json = "", places = "{}"] = text.split("\n// penstock places ");
  const { topology } = parseTopology(json);
  if (!topology) return undefined;
  try {
    return { topology, places: JSON.parse(places) as Clip["places"] };
  } catch {
    return { topology, places: {} };
  }
}

/** Copies the selected services and flows; false when nothing that can be copied is selected. */
export function copySelection(): boolean {
  const state = documentStore.getState();
  const clip = clipOf(state, state.selection);
  if (!clip) return false;
  lastClip = written(clip);
  void navigator.clipboard?.writeText(lastClip).catch(() => undefined);
  return true;
}

export async function pasteClipboard(at: { x: number; y: number } | undefined): Promise<boolean> {
  const text = await (navigator.clipboard?.readText?.() ?? Promise.resolve("")).catch(() => "");
  const clip = readClip(text) ?? readClip(lastClip);
  return clip ? pasteClip(clip, at) : false;
}

/** Draws what a `topology.json` has into this drawing; false when the text is none. */
export function pasteText(text: string, at: { x: number; y: number }): boolean {
  const clip = readClip(text);
  return clip ? pasteClip(clip, at) : false;
}

/** A copy of the selection, a step beside it; with the calls among what was copied. */
export function duplicateSelection(): boolean {
  const state = documentStore.getState();
  const clip = clipOf(state, state.selection);
  return clip
    ? pasteClip({ ...clip, topology: { ...clip.topology, messages: [], enums: [] } }, undefined)
    : false;
}

/** Draws a clip under fresh names; types that are already here by name are used, the rest comes along. */
function pasteClip(clip: Clip, at: { x: number; y: number } | undefined): boolean {
  const { topology } = documentStore.getState();
  const taken = new Set(sharedNames(topology));
  const names = new Map<string, string>();
  const added: string[] = [];
  const fresh = (name: string): string => {
    const free = freshName(name, taken);
    taken.add(free);
    names.set(name, free);
    return free;
  };
  const messages = clip.topology.messages.filter((item) => !taken.has(item.name));
  const enums = clip.topology.enums.filter((item) => !taken.has(item.name));
  for (const item of [...messages, ...enums]) taken.add(item.name);
  for (const item of [...clip.topology.services, ...clip.topology.flows]) fresh(item.name);

  const xs = Object.values(clip.places).map((place) => place.x);
  const ys = Object.values(clip.places).map((place) => place.y);
  const shift = at
    ? { x: at.x - Math.min(...xs, Infinity), y: at.y - Math.min(...ys, Infinity) }
    : { x: 44, y: 44 };
  return edit(
    `Paste ${clip.topology.services.length + clip.topology.flows.length} things`,
    (model) => {
      let next: DocumentModel = {
        ...model,
        topology: {
          ...model.topology,
          messages: [...model.topology.messages, ...messages],
          enums: [...model.topology.enums, ...enums],
        },
      };
      const inFlow = new Map<string, string>();
      for (const service of clip.topology.services) {
        const calls = service.calls.flatMap((callee) => names.get(callee) ?? []);
        next = addService(next, { ...service, name: names.get(service.name) ?? service.name, calls });
      }
      for (const flow of clip.topology.flows) {
        const name = names.get(flow.name) ?? flow.name;
        const stages = flow.stages.map((stage) => ({
          ...stage,
          service: names.get(stage.service) ?? stage.service,
        }));
        next = addFlow(next, { ...flow, name, stages });
        for (const stage of stages) inFlow.set(stage.service, stageRef(name, stage.id));
      }
      const places: Clip["places"] = {};
      for (const [ref, place] of Object.entries(clip.places)) {
        const old = ref.slice(ref.indexOf(":") + 1);
        const name = names.get(old) ?? old;
        const node = ref.startsWith("flow:") ? flowRef(name) : (inFlow.get(name) ?? serviceRef(name));
        places[node] = { x: place.x + shift.x, y: place.y + shift.y };
        added.push(node);
      }
      const [bundle, other] = topology.bundles;
      if (bundle && !other)
        next = moveToBundle(
          next,
          {
            services: clip.topology.services.map(({ name }) => names.get(name) ?? name),
            flows: clip.topology.flows.map(({ name }) => names.get(name) ?? name),
          },
          bundle.name,
        );
      return placed(next, freePlaces(next, places));
    },
    { select: added },
  );
}
