import type { Problem } from "@penstock/codegen/diagnostics";
import type { Service, Topology } from "@penstock/codegen/topology";
import type { Edge } from "@xyflow/react";
import type { ComponentType, ReactNode } from "react";
import type { DockTab, WorkbenchView } from "../kernel/document/index.js";
import type { ProjectState } from "../kernel/server/projectStore.js";
import type { TabItem } from "../kernel/ui/index.js";
import type { Command } from "./commands.js";
import type { MenuLine } from "./menus.js";
import type { CanvasPopup } from "./popups.js";

/** What the middle of the frame shows, by one of the tabs of the top bar. */
export interface FrameView {
  readonly view: WorkbenchView;
  /** For the words in its place when it fails: `The drawing`. */
  readonly what: string;
  readonly View: ComponentType;
}

/** What stands beside the middle. */
export interface SidePanel {
  readonly what: string;
  readonly Panel: ComponentType;
}

/** A tab of the dock. */
export interface DockPanel {
  readonly tab: DockTab;
  readonly label: string;
  /** Something goes on there: the label says so. */
  readonly busy?: (project: ProjectState) => boolean;
  /** What is counted beside the label. */
  readonly counts?: (problems: readonly Problem[]) => Pick<TabItem<DockTab>, "count" | "tone">;
  /** Right of the tabs while this one is shown. */
  readonly Head?: ComponentType;
  /** For the words in its place when it fails: `The load`. */
  readonly what: string;
  readonly Panel: ComponentType;
}

/** Where the properties have room for what a feature knows, and what its part is told there. */
export interface SectionPlaces {
  /** In place of kind, messages and deadline, of a service that is a node. */
  node: { service: Service };
  /** Of a service, below its calls. */
  service: { service: Service };
  /** Below the place that a service has in a flow. */
  stage: { flow: string; stage: string };
  /** The settings of a flow's source, but for its rate, which can change while it runs. */
  source: { flow: string };
  /** Of a binary, below its pools. */
  binary: { binary: string };
}

/** One click that makes a problem go away. */
export interface QuickFix {
  readonly label: string;
  readonly perform: () => void;
}
/** The fixes of a problem that fit what is drawn now; none where only the user can know. */
export type FixSource = (problem: Problem, topology: Topology) => QuickFix[];

/** Something to do with a pool of a running binary, offered where the pool is shown. */
export interface PoolAction {
  readonly label: string;
  readonly icon: ReactNode;
  readonly perform: (binary: string, pool: string) => void;
}

/** A line in the menu of a node that carries a service. */
export type ServiceMenuLine = (service: string, node: string) => MenuLine;

/**
 * What a feature brings. No feature knows another: it takes these lists as they are, and the shell names all
 * features in one place. What is loaded when it is first shown is by `onceLoaded` here.
 */
export interface Feature {
  readonly name: string;
  readonly commands?: readonly Command[];
  readonly view?: FrameView;
  /** Left and right of the middle. */
  readonly left?: SidePanel;
  readonly right?: SidePanel;
  readonly dock?: readonly DockPanel[];
  readonly sections?: { readonly [P in keyof SectionPlaces]?: ComponentType<SectionPlaces[P]> };
  readonly fixes?: FixSource;
  readonly poolActions?: readonly PoolAction[];
  readonly serviceMenu?: ServiceMenuLine;
  /** Pop-ups of the canvas, by their kind. */
  readonly popups?: {
    readonly [K in CanvasPopup["kind"]]?: ComponentType<{ popup: Extract<CanvasPopup, { kind: K }> }>;
  };
  /** Above the drawing; `farEdges` are all edges, far out, else none: a line of an element would be too thin there. */
  readonly Layer?: ComponentType<{ farEdges: readonly Edge[] }>;
  /** What was dropped on the drawing or its messages: true when it is taken. What nobody takes is a `topology.json`. */
  readonly dropped?: (data: DataTransfer) => boolean;
  /** Below the things of the palette, which answer to the same search. */
  readonly Palette?: ComponentType<{ query: string }>;
  /** What is there as long as a project is open, shown or not: dialogs, what listens. */
  readonly mounted?: readonly ComponentType[];
  /** What goes on as long as the page is there. Each returns how to stop. */
  readonly follow?: readonly (() => () => void)[];
}

let composed: readonly Feature[] = [];

/** Takes the features that there are, in the order of what they bring. Once, before the first picture. */
export const compose = (features: readonly Feature[]): void => {
  composed = features;
};

/** What the features bring of one kind, in their order. */
export const contributed = <K extends keyof Feature>(kind: K): NonNullable<Feature[K]>[] =>
  composed.flatMap((feature) => {
    const value = feature[kind];
    return value === undefined ? [] : [value as NonNullable<Feature[K]>];
  });

/** Whether a feature took what was dropped. */
export const takenDrop = (data: DataTransfer): boolean => contributed("dropped").some((take) => take(data));

/** Every fix that a feature has for a problem. */
export const quickFixes: FixSource = (problem, topology) =>
  contributed("fixes").flatMap((fixes) => fixes(problem, topology));
