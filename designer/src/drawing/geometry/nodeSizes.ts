import type { Flow, Service } from "@penstock/codegen/topology";
import {
  implementationRows,
  NODE_MAX_WIDTH,
  NODE_MIN_WIDTH,
  NODE_ROW,
  NODE_ROWS_PAD,
  nodeHeight,
} from "./nodeMeasures.js";
import type { Size } from "./box.js";

/** Space between a bundle's border and what is in it, px at zoom 1; the label sits on the top border. */
export const BUNDLE_PADDING = 22;
export const BUNDLE_HEADER = 40;
export const EMPTY_BUNDLE = { width: 260, height: 160 };
/** Of the label on a bundle's upper border; a frame's has the same height. */
export const BUNDLE_LABEL = 24;
/** The same for a binary's frame and the bundles in it: their labels have room below its own. */
export const FRAME_PADDING = 22;
export const FRAME_HEADER = 44;
export const EMPTY_FRAME = { width: 260, height: 120 };

/** Average advance of the two fonts at the node's sizes, the second one also that of a frame's hint; only widths hang on it. */
const NAME_CHAR = 7.6;
export const MONO_CHAR = 6.65;

const even = (value: number): number => Math.round(value / 2) * 2;

/** Size of a node from what is written in it; never from what it measures live. */
export function nodeSize(name: string, types: string, chip: string, implementations: number): Size {
  const nameWidth = 40 + name.length * NAME_CHAR + (chip ? 24 + chip.length * MONO_CHAR : 0) + 12;
  const typesWidth = 40 + types.length * MONO_CHAR + 14;
  const least = implementations > 1 ? 228 : chip ? 200 : NODE_MIN_WIDTH;
  const width = even(Math.min(NODE_MAX_WIDTH, Math.max(least, nameWidth, typesWidth)));
  return { width, height: nodeHeight(implementations) };
}

/** Height of the rows of implementations; none for a service with one. */
export const rowsHeight = (rows: number): number => (rows > 0 ? NODE_ROWS_PAD + rows * NODE_ROW : 0);

/** How wide a bundle's label is that has its name alone. */
export const bundleLabelWidth = (name: string): number => 37 + name.length * NAME_CHAR;

export const rowCount = (service: Service | undefined): number =>
  implementationRows(service?.implementations.length ?? 0);

export const serviceTypes = (service: Service): string =>
  service.response ? `${service.request} → ${service.response}` : service.request;

export const sourceTypes = (flow: Flow): string => `${flow.source.kind} → ${flow.event}`;
