import { parseNodeRef } from "@penstock/codegen/topology";
import { documentStore, edit, openCode } from "../../../kernel/document/index.js";
import { bundleRef, bundlesToMoveTo, moveToBundle } from "../../../kernel/document/edits/bundles.js";
import { hasEventCode } from "../../../kernel/document/edits/flows.js";
import { KindIcon } from "../../../kernel/ui/index.js";
import { addBinaryFor, membersOf, moveToBinary } from "../../../drawing/edits/group.js";
import { removeFromFlow } from "../../../drawing/edits/remove.js";
import { serviceOfNode } from "../../../drawing/edits/connect.js";
import { parseEdgeId } from "../../../kernel/document/edgeIds.js";
import { parseCanvasRef } from "../../../kernel/document/canvasRefs.js";
import { toCanvasPoint } from "../../../drawing/screen/instance.js";
import { contributed } from "../../../registry/feature.js";
import type { MenuLine } from "../../../registry/menus.js";
import { MenuList } from "./MenuList.js";
import { openJoinMenu, openPopup, type CanvasPopup, type Point } from "../../../registry/popups.js";

/** What can be done with the thing under the pointer, or with the empty canvas. */
export function ContextMenuBody({ target, at, only }: Omit<ContextPopup, "kind">) {
  const bundle = target === null ? undefined : parseCanvasRef(target);
  if (only === "binaries" && bundle?.kind === "bundle")
    return <MenuList label="Move to binary" lines={binaryLines(bundle.bundle)} />;
  return <MenuList label="Canvas menu" lines={target === null ? paneLines(at) : targetLines(target, at)} />;
}
type ContextPopup = Extract<CanvasPopup, { kind: "context" }>;

const later = (perform: () => void) => () => void requestAnimationFrame(perform);

const paneLines = (at: Point): MenuLine[] => [
  {
    label: "Add here…",
    hint: "double click",
    perform: later(() => openPopup({ kind: "add", at, canvas: toCanvasPoint(at) })),
  },
  { command: "edit.paste" },
  { command: "edit.selectAll" },
  "separator",
  { command: "arrange.auto" },
  { command: "view.fit" },
];

const bundlesOf = (selection: readonly string[]): string[] =>
  selection.flatMap((id) => {
    const ref = parseCanvasRef(id);
    return ref?.kind === "bundle" ? [ref.bundle] : [];
  });

/**
 * Where a bundle can be moved to, and with it those that are selected as it is: each binary but the one that serves all
 * of them, alone.
 */
function binaryLines(pointed: string): MenuLine[] {
  const { topology, selection } = documentStore.getState();
  const bundles = selection.includes(bundleRef(pointed)) ? bundlesOf(selection) : [pointed];
  const icon = <KindIcon kind="binary" />;
  const serving = topology.binaries.filter((binary) => bundles.some((name) => binary.bundles.includes(name)));
  const [first] = serving;
  const alone =
    serving.length === 1 && bundles.every((name) => first?.bundles.includes(name)) ? first : undefined;
  const lines = topology.binaries
    .filter((binary) => binary !== alone)
    .map((binary): MenuLine => ({
      label: `Move to ${binary.name}`,
      icon,
      perform: () => void moveToBinary(bundles, binary.name),
    }));
  if (serving.length > 1 || (first?.bundles.length ?? 0) > bundles.length)
    lines.push({
      label: bundles.length === 1 ? "Move to a binary of its own" : "Move to a binary of their own",
      icon,
      perform: () => void moveToBinary(bundles),
    });
  lines.push({ label: "Add binary for this bundle", icon, perform: () => void addBinaryFor(pointed) });
  return lines;
}

/** A binary's frame. */
const frameLines: MenuLine[] = [
  { command: "edit.rename" },
  { command: "go.threads" },
  { command: "run.profile" },
  "separator",
  { command: "edit.delete" },
];

function targetLines(target: string, at: Point): MenuLine[] {
  const edge = parseEdgeId(target);
  if (edge) {
    const flow: MenuLine[] =
      edge.kind === "call"
        ? []
        : [
            { label: "Join…", perform: later(() => openJoinMenu(at, edge.flow, edge.stage)) },
            {
              label: "Insert a service here…",
              perform: later(() => openPopup({ kind: "add", at, canvas: toCanvasPoint(at), edge: target })),
            },
          ];
    return [...flow, { command: "edit.delete" }];
  }
  if (parseNodeRef(target)?.kind === "binary") return frameLines;
  const { topology, selection } = documentStore.getState();
  const ref = parseCanvasRef(target);
  const service = serviceOfNode(topology, target);
  const lines: MenuLine[] = [];
  if (service !== undefined) {
    lines.push({
      label: "Edit handler",
      hint: "Enter",
      perform: () => openCode(`service:${service}`),
    });
    lines.push(...contributed("serviceMenu").map((line) => line(service, target)));
  }
  const flow = ref?.kind === "flow" ? topology.flows.find((item) => item.name === ref.flow) : undefined;
  if (ref?.kind === "flow" && flow && hasEventCode(flow))
    lines.push({ label: "Edit event source", perform: () => openCode(`flow:${ref.flow}`) });
  lines.push({ command: "edit.rename" });
  if (ref?.kind === "bundle") {
    lines.push(
      ...binaryLines(ref.bundle),
      "separator",
      { command: "edit.ungroup" },
      { command: "edit.delete" },
    );
    return lines;
  }
  lines.push({ command: "edit.copy" }, { command: "edit.duplicate" }, "separator", { command: "edit.group" });
  const members = membersOf(topology, selection.includes(target) ? selection : [target]);
  const inside = topology.bundles.some(
    (bundle) =>
      members.services.some((name) => bundle.services.includes(name)) ||
      members.flows.some((name) => bundle.flows.includes(name)),
  );
  for (const bundle of bundlesToMoveTo(topology, members)) {
    if (parseNodeRef(target)?.kind === "bundle") continue;
    lines.push({
      label: `Move to ${bundle.name}`,
      icon: <KindIcon kind="bundle" />,
      perform: () => edit(`Move to ${bundle.name}`, (model) => moveToBundle(model, members, bundle.name)),
    });
  }
  if (inside)
    lines.push({
      label: "Take out of bundle",
      perform: () => edit("Take out of bundle", (model) => moveToBundle(model, members, null)),
    });
  if (selection.length > 1)
    lines.push(
      "separator",
      { heading: "Align" },
      { command: "arrange.left" },
      { command: "arrange.top" },
      { command: "arrange.distribute" },
    );
  lines.push("separator");
  if (ref?.kind === "stage")
    lines.push({ label: "Take out of flow", perform: () => removeFromFlow(ref.flow, ref.stage) });
  lines.push({ command: "edit.delete" });
  return lines;
}
