import { z } from "zod";
import type { Problem } from "../model/diagnostics/index.js";
import { layoutSchema } from "../model/topology/index.js";
import { sourceManifestSchema } from "../model/sources/index.js";
import { nodeManifestSchema } from "../model/manifests/index.js";

/** What goes over the routes (`routes.ts`): shapes with their types. */

/** The shape of `diagnostics`' Problem, which most verbs of the command line need without zod. */
export const problemSchema = z.strictObject({
  code: z.string(),
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  pointer: z.string(),
  help: z.string(),
  file: z.string().exactOptional(),
  line: z.number().exactOptional(),
  column: z.number().exactOptional(),
  node: z.string().exactOptional(),
}) satisfies z.ZodType<Problem>;
const problems = z.array(problemSchema);

/** Every answer that is not 2xx. */
export const apiErrorSchema = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    help: z.string(),
    problems: problems.exactOptional(),
  }),
});
export type ApiError = z.infer<typeof apiErrorSchema>;

export const statusSchema = z.strictObject({
  version: z.string(),
  workspace: z.string(),
  /** True when the server runs as root: shown as a banner. */
  root: z.boolean(),
  /** False when the workspace cannot be written: nothing can be changed, built or run. */
  writable: z.boolean(),
  machine: z.strictObject({
    hostname: z.string(),
    model: z.string(),
    cpus: z.array(z.strictObject({ id: z.number(), core: z.number(), node: z.number() })),
    memoryBytes: z.number(),
  }),
  /** What is missing to build, with the command that installs it; empty when all is there. */
  missing: z.array(z.strictObject({ tool: z.string(), help: z.string() })),
});
export type Status = z.infer<typeof statusSchema>;

export const exampleInfoSchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  doc: z.string(),
  /** Its drawing as it is on disk, for a picture of it; an example without a layout has none of the second. */
  topology: z.string(),
  layout: z.string().exactOptional(),
});
export type ExampleInfo = z.infer<typeof exampleInfoSchema>;

export const projectInfoSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  doc: z.string(),
  modifiedAtMs: z.number(),
  /** Someone else's project is shown, but built and run only after the user said yes. */
  trusted: z.boolean(),
});
export type ProjectInfo = z.infer<typeof projectInfoSchema>;

/** With the names of its binaries that run, whoever started them. */
export const listedProjectSchema = projectInfoSchema.extend({ running: z.array(z.string()) });
export type ListedProject = z.infer<typeof listedProjectSchema>;

export const projectDocumentSchema = z.strictObject({
  id: z.string(),
  /** What its folder is called, where the list of projects names it by that; a drawing may have another name. */
  folder: z.string().exactOptional(),
  revision: z.string(),
  /** topology.json as it is on disk: the browser parses it with the shared parser. */
  topology: z.string(),
  layout: layoutSchema,
  /** What of layout.json could not be used; it keeps no project closed. */
  layoutProblems: problems.exactOptional(),
  readOnly: z.boolean(),
  /** Why it cannot be edited ("made by a newer version", "read-only workspace"); "" when it can. */
  readOnlyReason: z.string(),
  trusted: z.boolean(),
  /** Set when the document was migrated on load; the original was kept beside it. */
  migratedFrom: z.number().exactOptional(),
});
export type ProjectDocument = z.infer<typeof projectDocumentSchema>;

/**
 * A service, a flow, the project, a message, an enum, or `Service/Implementation`, `Enum/VALUE`, `Message/field`;
 * `Service/` is the only handler of a service.
 */
export const renameSchema = z.strictObject({
  kind: z.enum(["service", "implementation", "flow", "project", "message", "enum", "value", "field"]),
  from: z.string().max(200),
  to: z.string().max(200),
});
export type Rename = z.infer<typeof renameSchema>;
/** More renames between two generations than this are not followed. */
export const MOST_RENAMES = 10_000;

export const saveResultSchema = z.strictObject({ revision: z.string(), problems });
export type SaveResult = z.infer<typeof saveResultSchema>;
/** 409 of a save: somebody else saved in between. */
export interface SaveConflict extends ApiError {
  current: ProjectDocument;
}

export const revisionInfoSchema = z.strictObject({ revision: z.string(), savedAtMs: z.number() });
export type RevisionInfo = z.infer<typeof revisionInfoSchema>;
/** 422 of opening a project when a file cannot be read: earlier revisions are offered. */
export interface DamagedProject extends ApiError {
  /** The file at fault, relative to the project. */
  file: string;
  /** Where it is on the server's disk. */
  path: string;
  /** Of the damaged files: what a PUT that repairs them gives in If-Match. */
  revision: string;
  revisions: RevisionInfo[];
}

/** A kind of node that a project may use: what `penstock nodes --json` prints. */
export const nodeInfoSchema = nodeManifestSchema.extend({
  /** Markdown; "" where there is none. */
  documentation: z.string(),
  /** One of the project's own, from its `nodes/`. */
  own: z.boolean(),
});
export type NodeInfo = z.infer<typeof nodeInfoSchema>;
/** A kind of source that a project may use. */
export const sourceInfoSchema = sourceManifestSchema.extend({ documentation: z.string(), own: z.boolean() });
export type SourceInfo = z.infer<typeof sourceInfoSchema>;
export const nodeListSchema = z.strictObject({
  nodes: z.array(nodeInfoSchema),
  sources: z.array(sourceInfoSchema),
  /** What is wrong with the project's own. */
  problems,
});
export type NodeList = z.infer<typeof nodeListSchema>;

export const generateAnswerSchema = z.strictObject({
  ok: z.boolean(),
  problems,
  written: z.array(z.string()),
  unchanged: z.number(),
  removed: z.array(z.string()),
  milliseconds: z.number(),
});
export type GenerateAnswer = z.infer<typeof generateAnswerSchema>;

/** A file of the user's that the code panel can edit. */
export const sourceFileSchema = z.strictObject({
  /** Opaque id: the server owns the path. */
  id: z.string(),
  /** Relative to the project, for people. */
  path: z.string(),
  /** The node it belongs to, e.g. `service:GetAd`; "" for build files. */
  node: z.string(),
  /** Implementation of the service, where it has several. */
  implementation: z.string().exactOptional(),
  /** Generated files are shown read-only. */
  owner: z.enum(["user", "generated"]),
  /** False while the handler is as it was generated and answers `unimplemented`. */
  written: z.boolean(),
});
export type SourceFile = z.infer<typeof sourceFileSchema>;
export const sourceTextSchema = z.strictObject({
  id: z.string(),
  path: z.string(),
  text: z.string(),
  hash: z.string(),
  readOnly: z.boolean(),
});
export type SourceText = z.infer<typeof sourceTextSchema>;
/** A file that has just been saved. */
export const savedSourceSchema = sourceTextSchema.extend({
  /** Other than the start that Penstock wrote. */
  written: z.boolean(),
});

export const handlerChangeSchema = z.strictObject({
  id: z.string(),
  path: z.string(),
  /** Of the file as it is. */
  hash: z.string(),
  text: z.string(),
  /** The lines that differ; `line` from 1. */
  lines: z.array(z.strictObject({ line: z.number(), before: z.string(), after: z.string() })),
});
export type HandlerChange = z.infer<typeof handlerChangeSchema>;
/** The user's code beside the drawing. */
export const handlersAnswerSchema = z.strictObject({
  /** What it names that is not drawn, with file and line. */
  problems,
  /** What each such file would be with the names that are drawn, where those are known; saved by a PUT of `text`. */
  changes: z.array(handlerChangeSchema),
});
export type HandlersAnswer = z.infer<typeof handlersAnswerSchema>;

export const logLineSchema = z.strictObject({
  seq: z.number(),
  atMs: z.number(),
  binary: z.string(),
  stream: z.enum(["stdout", "stderr", "penstock"]),
  text: z.string(),
  /** Of what Penstock says itself: something went wrong, or may. */
  severity: z.enum(["error", "warning"]).exactOptional(),
});
export type LogLine = z.infer<typeof logLineSchema>;
