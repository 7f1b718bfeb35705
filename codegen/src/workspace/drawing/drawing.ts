import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { problem, type Problem } from "../../model/diagnostics/index.js";
import {
  emptyLayout,
  LARGEST_DRAWING,
  parseLayout,
  type Layout,
  type Topology,
} from "../../model/topology/index.js";
import { OutsideError, readPlain, TooLargeError } from "../../disk/index.js";

export const TOPOLOGY_FILE = "topology.json";
export const LAYOUT_FILE = "layout.json";

/** The two files of a drawing as they are on disk. */
export interface Drawing {
  topology: Buffer;
  topologyStats: Stats;
  layout: Buffer | null;
  layoutStats: Stats | null;
  /** Why a layout that is there cannot be read. */
  layoutFault: string | undefined;
  revision: string;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

function faultOf(error: unknown): string {
  if (error instanceof OutsideError) return "it is a link, or no plain file";
  if (error instanceof TooLargeError) return `it is larger than ${error.limit} bytes`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return `it cannot be read (${code})`;
}

/** Names the content of a project's drawing: both files, byte by byte. */
export function revisionOf(topology: string | Uint8Array, layout: string | Uint8Array | null): string {
  const hash = createHash("sha256").update(topology).update("\0");
  if (layout !== null) hash.update(layout);
  return hash.digest("hex").slice(0, 32);
}

/** Reads both files of the project in `root`; a layout may be missing, or be none that can be read. */
export async function readDrawing(root: string): Promise<Drawing> {
  const topology = await readPlain(root, TOPOLOGY_FILE, LARGEST_DRAWING);
  let layoutFault: string | undefined;
  const layout = await readPlain(root, LAYOUT_FILE, LARGEST_DRAWING).catch((error: unknown) => {
    if (!isMissing(error)) layoutFault = faultOf(error);
    return null;
  });
  return {
    layoutFault,
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

/** The layout of a drawing: what of it can be used, and what is wrong with the rest. Never keeps a drawing closed. */
export function readLayout(drawing: Pick<Drawing, "layout" | "layoutFault">): {
  layout: Layout;
  problems: Problem[];
} {
  if (drawing.layoutFault !== undefined)
    return { layout: emptyLayout(), problems: [layoutProblem(drawing.layoutFault)] };
  return drawing.layout === null ? { layout: emptyLayout(), problems: [] } : parseLayout(drawing.layout);
}

export const layoutProblem = (fault: string): Problem => problem("PS140", "", `${LAYOUT_FILE}: ${fault}`);

/** What the workspace needs to know of the topology format; the shared parser behind it. */
export interface TopologyFormat {
  /** `topology` is left out when the text is no topology; `migratedFrom` when it was an older format. */
  parse(text: string): { topology?: Topology; problems: Problem[]; migratedFrom?: number };
  print(topology: Topology): string;
  validate(topology: Topology): Problem[];
  hash(topology: Topology): string;
  /** The newest format version it reads. */
  version: number;
}
