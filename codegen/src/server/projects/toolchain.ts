import type { Problem } from "../../model/diagnostics/index.js";
import type { FollowedHandlers } from "../../pipeline.js";
import type { NodeList } from "../../contract/index.js";
import {
  FORMAT_VERSION,
  parseTopology,
  printTopology,
  topologyHash,
  type Topology,
} from "../../model/topology/index.js";
import { validateTopology } from "../../model/validate/index.js";
import type { DescribedFile, TopologyFormat } from "../../workspace/index.js";

/** What a generation did, as far as the server passes it on. */
export interface Generated {
  ok: boolean;
  problems: Problem[];
  written: string[];
  unchanged: number;
  removed: string[];
  milliseconds: number;
}

/** The steps of the house that the server calls; tests put others in their place. */
export interface Toolchain {
  format: TopologyFormat;
  generate(projectDir: string, options: { force: boolean }): Promise<Generated>;
  describeSources(projectDir: string, topology: Topology): Promise<DescribedFile[]>;
  /** The user's files that the last generation left, with the hashes of its starts, without a look at the drawing. */
  keptSources(projectDir: string): Promise<ReadonlyMap<string, string | undefined>>;
  /** The user's files as the last generation named them. */
  formerSources(projectDir: string, topology: Topology): Promise<DescribedFile[]>;
  /** What the user's code names that is not drawn. */
  followHandlers(projectDir: string, topology: Topology): Promise<FollowedHandlers>;
  /** The standard nodes and the project's own. */
  nodes(projectDir: string): Promise<NodeList>;
  /** The environment variables that the nodes of the drawing read. */
  variablesRead(projectDir: string, topology: Topology): Promise<string[]>;
}

export const topologyFormat: TopologyFormat = {
  parse: parseTopology,
  print: printTopology,
  validate: validateTopology,
  hash: topologyHash,
  version: FORMAT_VERSION,
};

export const realToolchain: Toolchain = {
  format: topologyFormat,
  generate: async (projectDir, options) =>
    (await import("../../pipeline.js")).generateDrawn(projectDir, options),
  describeSources: async (projectDir, topology) =>
    (await import("../../pipeline.js")).describeSources(projectDir, topology),
  keptSources: async (projectDir) => (await import("../../pipeline.js")).keptSources(projectDir),
  formerSources: async (projectDir, topology) =>
    (await import("../../pipeline.js")).formerSources(projectDir, topology),
  followHandlers: async (projectDir, topology) =>
    (await import("../../pipeline.js")).followHandlers(projectDir, topology),
  nodes: async (projectDir) => (await import("../../projectNodes.js")).listNodes(projectDir),
  variablesRead: async (projectDir, topology) =>
    (await import("../../pipeline.js")).variablesRead(projectDir, topology),
};
