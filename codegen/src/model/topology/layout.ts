import { z } from "zod";
import { problem, type Problem } from "../diagnostics/index.js";
import { formatJson, readJson, isJsonObject, type JsonObject } from "../json/index.js";
import { parseNodeRef } from "./places/nodeRef.js";

/**
 * `layout.json`: looks only, keyed by node reference (see `nodeRef.ts`). Losing it loses no
 * meaning; unknown entries are dropped when the node they name is gone.
 */
export const nodeLayoutSchema = z.strictObject({
  x: z.number(),
  y: z.number(),
  width: z.number().optional(),
  height: z.number().optional(),
});
export const layoutSchema = z.strictObject({
  penstock: z.literal(1),
  nodes: z.record(z.string(), nodeLayoutSchema).default({}),
});
export type NodeLayout = z.infer<typeof nodeLayoutSchema>;
export type Layout = z.infer<typeof layoutSchema>;

export const emptyLayout = (): Layout => ({ penstock: 1, nodes: {} });

/** Coordinates are kept to a tenth of a pixel: finer differences are noise in a diff. */
const STEPS_PER_PIXEL = 10;
/** Nothing is drawn farther out than this, in pixels. */
const FARTHEST = 1_000_000;

const warn = (message: string): Problem => problem("PS140", "", message);

/**
 * Reads `layout.json`, tolerantly: what cannot be used is dropped with a warning, and a text that is no
 * layout at all gives the empty one. Never throws, never an error: looks must not stop anybody.
 */
export function parseLayout(input: string | Uint8Array): { layout: Layout; problems: Problem[] } {
  const { value, problems } = readJson(input);
  if (value === undefined) {
    const first = problems[0];
    const place = first?.line === undefined ? {} : { line: first.line, column: first.column ?? 1 };
    return {
      layout: emptyLayout(),
      problems: [{ ...warn(`layout.json: ${first?.message ?? "unreadable"}`), ...place }],
    };
  }
  if (!isJsonObject(value) || value["penstock"] !== 1)
    return { layout: emptyLayout(), problems: [warn("layout.json is not a layout of this version")] };

  const layout = emptyLayout();
  const dropped: string[] = Object.keys(value).filter((key) => key !== "penstock" && key !== "nodes");
  const nodes = Object.hasOwn(value, "nodes") ? value["nodes"] : {};
  if (!isJsonObject(nodes)) dropped.push("nodes");
  else
    for (const [ref, entry] of Object.entries(nodes)) {
      const parsed = nodeLayoutSchema.safeParse(entry);
      if (parsed.success && parseNodeRef(ref) !== undefined && isOnCanvas(parsed.data))
        layout.nodes[ref] = parsed.data;
      else dropped.push(ref);
    }
  if (dropped.length === 0) return { layout, problems: [] };
  return {
    layout,
    problems: [warn(`layout.json: ${dropped.length} entries dropped that are none of a layout`)],
  };
}

const isOnCanvas = (node: NodeLayout): boolean =>
  [node.x, node.y, node.width ?? 0, node.height ?? 0].every((value) => Math.abs(value) <= FARTHEST);

/** The text of `layout.json`: keys sorted, coordinates rounded, one node a line; byte-stable like `printTopology`. */
export function printLayout(layout: Layout): string {
  const nodes: JsonObject = {};
  for (const ref of Object.keys(layout.nodes).sort()) {
    const node = layout.nodes[ref];
    if (node === undefined) continue;
    const rounded: JsonObject = { x: round(node.x), y: round(node.y) };
    if (node.width !== undefined) rounded["width"] = round(node.width);
    if (node.height !== undefined) rounded["height"] = round(node.height);
    nodes[ref] = rounded;
  }
  return formatJson({ penstock: 1, nodes });
}

/** To a tenth; never -0, and what is no number at all (a canvas not yet measured) is 0. */
const round = (value: number): number =>
  Number.isFinite(value) ? Math.round(value * STEPS_PER_PIXEL) / STEPS_PER_PIXEL + 0 : 0;
