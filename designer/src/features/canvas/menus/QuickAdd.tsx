import type { NodeInfo, SourceInfo } from "@penstock/codegen/contract";
import { SOURCE_INPUT, stageOutputType, type Topology } from "@penstock/codegen/topology";
import { useMemo, useState } from "react";
import { documentStore, edit, select, useDocument } from "../../../kernel/document/index.js";
import { insertStage, nodeOfService } from "../../../kernel/document/edits/flows.js";
import { Combobox, KindIcon, type Choice } from "../../../kernel/ui/index.js";
import { addServiceAt, addServiceOnEdge, addSourceAt } from "../../../drawing/edits/add.js";
import { connection, serviceOfNode } from "../../../drawing/edits/connect.js";
import { parseEdgeId } from "../../../kernel/document/edgeIds.js";
import { parseCanvasRef, PORTS } from "../../../kernel/document/canvasRefs.js";
import { paletteOf } from "../../../registry/palette.js";
import { nameFaultWords } from "../../../kernel/fields/nameFaultWords.js";
import { NODE_MIN_WIDTH } from "../../../drawing/geometry/nodeMeasures.js";
import { addNodeAt, addNodeOnEdge } from "../../../drawing/edits/addNode.js";
import { categoryColor } from "../../../kernel/ui/icons/categories.js";
import { NodeIcon } from "../../../kernel/ui/icons/NodeIcon.js";
import { usePalette } from "../../../kernel/server/usePalette.js";
import { closePopup, type CanvasPopup } from "../../../registry/popups.js";

type AddPopup = Extract<CanvasPopup, { kind: "add" }>;

/** Where a new node goes: one that is called with its upper port below the pointer, others a little left and above. */
const cornerOf = ({ canvas: { x, y }, from }: AddPopup): { x: number; y: number } =>
  from?.handle === PORTS.callOut ? { x: x - NODE_MIN_WIDTH / 2, y } : { x: x - 60, y: y - 28 };

/** Everything that can stand at a point: what is drawn already and fits the port first, then new things. */
function choicesFor(
  topology: Topology,
  nodes: readonly NodeInfo[],
  sources: readonly SourceInfo[],
  popup: AddPopup,
): Choice[] {
  const at = cornerOf(popup);
  const { from } = popup;
  const edge = popup.edge === undefined ? undefined : parseEdgeId(popup.edge);
  const link = edge && edge.kind !== "call" ? edge : undefined;
  const existing: Choice[] = [];
  // Hardly ever meant, and the first line is what Enter takes.
  const own: Choice[] = [];
  if (from) {
    const caller = serviceOfNode(topology, from.node);
    const handle = from.handle === PORTS.callOut ? PORTS.callIn : PORTS.flowIn;
    for (const service of topology.services) {
      const node = nodeOfService(topology, service.name);
      const verdict = connection(topology, from, { node, handle });
      if (!verdict.ok) continue;
      (service.name === caller ? own : existing).push({
        key: `existing:${service.name}`,
        label: service.name,
        hint: from.handle === PORTS.callOut ? "call" : "lead into",
        icon: <KindIcon kind={service.kind} />,
        perform: () => void edit(verdict.label, verdict.edit),
      });
    }
  }
  if (link) {
    for (const service of topology.services) {
      const flow = topology.flows.find((item) => item.name === link.flow);
      const type = flow?.stages.find((item) => item.id === link.stage)?.service;
      const taken = topology.services.find((item) => item.name === type)?.request;
      if (service.request !== taken || service.response !== taken) continue;
      existing.push({
        key: `existing:${service.name}`,
        label: service.name,
        hint: "insert",
        icon: <KindIcon kind={service.kind} />,
        perform: () =>
          void edit(`Insert ${service.name}`, (model) =>
            insertStage(model, link.flow, service.name, link.stage),
          ),
      });
    }
  }
  const fits = from ? typeAt(topology, from) : undefined;
  const made = paletteOf(sources)
    .filter((item) => item.add.item === "service" || !(from ?? link))
    .map((item): Choice => ({
      key: item.label,
      label: item.label,
      hint: fits ?? item.key ?? "",
      icon: <KindIcon kind={item.icon} />,
      perform: () => {
        if (item.add.item === "source") addSourceAt(item.add.kind, at);
        else if (link) addServiceOnEdge(item.add.kind, at, link.flow, link.stage);
        else addServiceAt(item.add.kind, at, from);
      },
    }));
  const standard = from?.handle === PORTS.callOut ? [] : nodes;
  const generated = standard.map((node): Choice => ({
    key: `node:${node.type}`,
    label: node.title,
    hint: fits ?? "",
    icon: <NodeIcon icon={node.icon} color={categoryColor(node.category)} />,
    perform: () => {
      if (link) addNodeOnEdge(node, at, link.flow, link.stage);
      else addNodeAt(node, at, from);
    },
  }));
  return [...existing, ...made, ...generated, ...own];
}

function typeAt(topology: Topology, from: { node: string; handle: string }): string | undefined {
  const ref = parseCanvasRef(from.node);
  if (from.handle !== PORTS.flowOut) return undefined;
  if (ref?.kind === "flow") return stageOutputType(topology, ref.flow, SOURCE_INPUT);
  return ref?.kind === "stage" ? stageOutputType(topology, ref.flow, ref.stage) : undefined;
}

/** What is typed as the name of a service that is not drawn yet: it is drawn, and called that. */
function newService(name: string, popup: AddPopup): Choice | undefined {
  if (name === "" || popup.edge !== undefined || nameFaultWords("service", "service:", name))
    return undefined;
  const at = cornerOf(popup);
  return {
    key: "new",
    label: `New service ${name}`,
    hint: "simple",
    icon: <KindIcon kind="simple" />,
    perform: () => addServiceAt("simple", at, popup.from, name),
  };
}

const pick = (choice: Choice) => {
  closePopup();
  select(documentStore.getState().selection);
  choice.perform();
};

/** Type to find, Enter to add at the pointer. */
export function QuickAdd({ popup }: { popup: AddPopup }) {
  const topology = useDocument((state) => state.topology);
  const [query, setQuery] = useState("");
  const { nodes, sources } = usePalette();
  const choices = useMemo(
    () => choicesFor(topology, nodes, sources, popup),
    [topology, nodes, sources, popup],
  );
  const wanted = query.trim();
  const fitting = choices.filter((choice) => choice.label.toLowerCase().includes(wanted.toLowerCase()));
  const made = newService(wanted, popup);
  const shown = made ? [...fitting, made] : fitting;
  return (
    <div className="menu quick-add" role="dialog" aria-label="Add to the drawing">
      <Combobox
        label="Find something to add"
        placeholder={popup.from ? "Connect to, or a new name…" : "Add, or a new name…"}
        query={query}
        onQuery={setQuery}
        choices={shown}
        choicesLabel="Things to add"
        nothing="Nothing fits"
        onPick={pick}
      />
    </div>
  );
}
