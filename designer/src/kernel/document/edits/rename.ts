import type { Rename } from "@penstock/codegen/contract";
import type { NodePalette } from "@penstock/codegen/manifests";
import { type Layout, parseNodeRef, type Topology } from "@penstock/codegen/topology";
import {
  renameBinary,
  renameBundle,
  renameEnum,
  renameEnumValue,
  renameField,
  renameFlow,
  renameMessage,
  renamePool,
  renameProject,
  renameService,
  renameStage,
} from "@penstock/codegen/rename";
import { catchEdgeId, linkEdgeId, parseEdgeId } from "../edgeIds.js";
import { renamedRef } from "../nameChange.js";
import { withTopology } from "../model.js";
import { documentStore, edit } from "../store.js";

/** The topology with the thing that `ref` names renamed everywhere. */
function renamedTopology(
  topology: Topology,
  kind: string,
  path: string[],
  to: string,
  palette: NodePalette | undefined,
): Topology {
  const [first = "", second = ""] = path;
  if (kind === "service") return renameService(topology, first, to);
  if (kind === "flow") return renameFlow(topology, first, to);
  if (kind === "stage") return renameStage(topology, first, second, to);
  if (kind === "bundle") return renameBundle(topology, first, to);
  if (kind === "binary") return renameBinary(topology, first, to);
  if (kind === "pool") return renamePool(topology, first, second, to);
  if (kind === "message") return renameMessage(topology, first, to, palette);
  if (kind === "enum") return renameEnum(topology, first, to, palette);
  return topology;
}

/** A line that leads into or out of a renamed stage has its id from it. */
function renamedLine(id: string, kind: string, [flow, from]: string[], to: string): string {
  const line = parseEdgeId(id);
  if (kind !== "stage" || !line || line.kind === "call" || line.flow !== flow) return id;
  const follow = (stage: string): string => (stage === from ? to : stage);
  const { stage, predecessor } = line;
  if (line.kind === "catch") return catchEdgeId(flow, follow(stage));
  return linkEdgeId(flow, follow(stage), predecessor === undefined ? undefined : follow(predecessor));
}

function renamedLayout(layout: Layout, rename: (ref: string) => string): Layout {
  const nodes = Object.fromEntries(Object.entries(layout.nodes).map(([ref, box]) => [rename(ref), box]));
  return { ...layout, nodes };
}

/** What the user's files follow as it is called otherwise. */
const IN_FILES = ["service", "flow", "message", "enum"] as const;

/**
 * Renames a thing everywhere it is used, with its place on the canvas, the selection and (for what is named in C++)
 * the user's files. `palette` tells what settings mean: with it, what they say in C++ follows a
 * message and an enum. False when nothing changed.
 */
export function rename(ref: string, to: string, palette?: NodePalette): boolean {
  const parsed = parseNodeRef(ref);
  if (!parsed || to === parsed.path.at(-1)) return false;
  const { kind, path } = parsed;
  const follow = (other: string): string => renamedRef(other, { ref, to });
  const files: Rename[] = IN_FILES.flatMap((one) =>
    one === kind ? [{ kind: one, from: path[0] ?? "", to }] : [],
  );
  const done = edit(
    `Rename to ${to}`,
    (model) => ({
      topology: renamedTopology(model.topology, kind, path, to, palette),
      layout: renamedLayout(model.layout, follow),
    }),
    { renames: files, names: [{ ref, to }] },
  );
  if (done)
    documentStore.setState((state) => ({
      selection: state.selection.map((id) => renamedLine(follow(id), kind, path, to)),
    }));
  return done;
}

/** Renames the project in the drawing, and with it the namespace in the user's files; its folder keeps its name. */
export function renameDrawnProject(to: string, palette?: NodePalette): boolean {
  const from = documentStore.getState().topology.name;
  if (from === to) return false;
  return edit(
    `Rename to ${to}`,
    (model) => ({ ...model, topology: renameProject(model.topology, to, palette) }),
    { renames: [{ kind: "project", from, to }] },
  );
}

/** Renames a value of an enum wherever the drawing says it, and in the user's files. */
export const renameDrawnValue = (
  enumName: string,
  from: string,
  to: string,
  palette?: NodePalette,
): boolean =>
  from !== to &&
  edit(
    `Rename to ${to}`,
    (model) => withTopology(model, renameEnumValue(model.topology, enumName, from, to, palette)),
    { renames: [{ kind: "value", from: `${enumName}/${from}`, to: `${enumName}/${to}` }] },
  );

/** Renames a field of a message wherever the drawing says it, and in the user's files. */
export const renameDrawnField = (message: string, from: string, to: string, palette?: NodePalette): boolean =>
  from !== to &&
  edit(
    `Rename to ${to}`,
    (model) => withTopology(model, renameField(model.topology, message, from, to, palette)),
    { renames: [{ kind: "field", from: `${message}/${from}`, to: `${message}/${to}` }] },
  );
