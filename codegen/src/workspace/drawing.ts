import type { Stats } from "node:fs";
import { layoutSchema, emptyLayout, type Layout } from "../topology/index.js";
import { readConfined } from "./confine.js";
import { revisionOf } from "./revision.js";

export const TOPOLOGY_FILE = "topology.json";
export const LAYOUT_FILE = "layout.json";
/** Largest drawing the server reads, in bytes: what an import may bring. */
export const DRAWING_LIMIT = 5_000_000;

/** The two files of a drawing as they are on disk. */
export interface Drawing {
  topology: Buffer;
  topologyStats: Stats;
  layout: Buffer | null;
  layoutStats: Stats | null;
  revision: string;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** Reads both files of the project in `root`; a layout may be missing. */
export async function readDrawing(root: string): Promise<Drawing> {
  const topology = await readConfined(root, TOPOLOGY_FILE, DRAWING_LIMIT);
  const layout = await readConfined(root, LAYOUT_FILE, DRAWING_LIMIT).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  return {
    topology: topology.bytes,
    topologyStats: topology.stats,
    layout: layout?.bytes ?? null,
    layoutStats: layout?.stats ?? null,
    revision: revisionOf(topology.bytes, layout?.bytes ?? null),
  };
}

/** Decodes UTF-8 strictly; undefined when the bytes are no text. A leading BOM is dropped. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The layout of a drawing, or why it cannot be read. */
export function parseLayout(bytes: Uint8Array | null): { layout: Layout } | { reason: string } {
  if (bytes === null) return { layout: emptyLayout() };
  const text = decodeText(bytes);
  if (text === undefined) return { reason: "it is not valid UTF-8" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { reason: (error as Error).message };
  }
  const result = layoutSchema.safeParse(value);
  if (result.success) return { layout: result.data };
  return { reason: result.error.issues[0]?.message ?? "it has another shape" };
}

/** Stable text of a layout: nodes by name, one line each, so that a moved node is one line of diff. */
export function printLayout(layout: Layout): string {
  const names = Object.keys(layout.nodes).sort();
  if (names.length === 0) return `{\n  "penstock": 1,\n  "nodes": {}\n}\n`;
  const rows = names.map((name) => {
    const { x, y, width, height } = layout.nodes[name] as Layout["nodes"][string];
    const parts = [`"x": ${x}`, `"y": ${y}`];
    if (width !== undefined) parts.push(`"width": ${width}`);
    if (height !== undefined) parts.push(`"height": ${height}`);
    return `    ${JSON.stringify(name)}: { ${parts.join(", ")} }`;
  });
  return `{\n  "penstock": 1,\n  "nodes": {\n${rows.join(",\n")}\n  }\n}\n`;
}
