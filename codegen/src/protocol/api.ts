import type { Problem } from "../diagnostics/index.js";
import type { Layout, NodeManifest } from "../topology/index.js";

/**
 * HTTP routes between browser (or command line) and server. Bodies are JSON; every answer that
 * is not 2xx is an ApiError. Everything under /api but the sign-in needs `Authorization: Bearer`.
 *
 *   GET    /healthz                                     {ok}   200 when ready, 503 before; no token needed
 *   POST   /api/session                {code}           {token}
 *   POST   /api/session/codes                           {url}  a fresh one-time address (`penstock open`)
 *   GET    /api/status                                  Status
 *   GET    /api/examples                                ExampleInfo[]
 *   GET    /api/projects                                ListedProject[]
 *   POST   /api/projects               CreateProject    ProjectInfo
 *   GET    /api/projects/:id                            ProjectDocument
 *   PUT    /api/projects/:id           SaveProject      SaveResult      (If-Match: "revision"; 409 SaveConflict)
 *   POST   /api/projects/:id/duplicate {name}           ProjectInfo
 *   POST   /api/projects/:id/rename    {name}           ProjectInfo     its id is another one then; 409 while it runs
 *   DELETE /api/projects/:id                            {kept}          moved to where it can be brought back from; 409 while it runs
 *   GET    /api/projects/:id/revisions                  RevisionInfo[]
 *   GET    /api/projects/:id/revisions/:revision        ProjectDocument
 *   POST   /api/projects/:id/trust                      ProjectInfo     the user has looked at it and said yes
 *   POST   /api/projects/:id/generate  {force?}         GenerateAnswer
 *   POST   /api/projects/:id/build     {preset?}        {started: true} progress comes on the socket
 *   DELETE /api/projects/:id/build                      {cancelled}
 *   POST   /api/projects/:id/bench     {service?}       {started: true} progress and figures come on the socket
 *   DELETE /api/projects/:id/bench                      {cancelled}
 *   POST   /api/projects/:id/load      LoadRequest      {started: true} seconds and the end come on the socket
 *   DELETE /api/projects/:id/load                       {cancelled}
 *   POST   /api/projects/:id/run       RunRequest       {started: true} state comes on the socket
 *   POST   /api/projects/:id/stop      {binary?}        {stopped: string[]}
 *   GET    /api/projects/:id/nodes                      NodeList
 *   GET    /api/projects/:id/files                      SourceFile[]
 *   GET    /api/projects/:id/files/:file                SourceText
 *   PUT    /api/projects/:id/files/:file  {text}        SourceText      (If-Match: "hash"; 409 SourceText)
 *   GET    /api/projects/:id/handlers                   HandlersAnswer  what the code names that is not drawn
 *   POST   /api/projects/:id/binaries/:binary/command   {method, params}  result, or ApiError with problems
 *   POST   /api/projects/:id/binaries/:binary/call      ServiceCall         ServiceCallEnd, or ApiError with problems
 *   GET    /api/projects/:id/calls                      TriedCalls
 *   GET    /api/projects/:id/logs?binary=NAME           {lines: LogLine[]}
 */

export interface ApiError {
  error: { code: string; message: string; help: string; problems?: Problem[] };
}

export interface Status {
  version: string;
  workspace: string;
  /** True when the server runs as root: shown as a banner. */
  root: boolean;
  /** False when the workspace cannot be written: nothing can be changed, built or run. */
  writable: boolean;
  machine: {
    hostname: string;
    model: string;
    cpus: { id: number; core: number; node: number }[];
    memoryBytes: number;
  };
  /** What is missing to build, with the command that installs it; empty when all is there. */
  missing: { tool: string; help: string }[];
}

export interface ExampleInfo {
  name: string;
  title: string;
  doc: string;
  /** Its drawing as it is on disk, for a picture of it; an example without a layout has none of the second. */
  topology: string;
  layout?: string;
}

export interface ProjectInfo {
  id: string;
  name: string;
  doc: string;
  modifiedAtMs: number;
  /** Someone else's project is shown, but built and run only after the user said yes. */
  trusted: boolean;
}

/** With the names of its binaries that run, whoever started them. */
export interface ListedProject extends ProjectInfo {
  running: string[];
}

export interface CreateProject {
  /** Folder and project name. */
  name: string;
  /** A copy of an example; with neither this nor a drawing, an empty project. */
  example?: string;
  /** A `topology.json` to begin with. It keeps its own name. */
  topology?: string;
}

export interface ProjectDocument {
  id: string;
  revision: string;
  /** topology.json as it is on disk: the browser parses it with the shared parser. */
  topology: string;
  layout: Layout;
  /** What of layout.json could not be used; it keeps no project closed. */
  layoutProblems?: Problem[];
  readOnly: boolean;
  /** Why it cannot be edited ("made by a newer version", "read-only workspace"); "" when it can. */
  readOnlyReason: string;
  trusted: boolean;
  /** Set when the document was migrated on load; the original was kept beside it. */
  migratedFrom?: number;
}

export interface SaveProject {
  topology: string;
  layout: Layout;
  /** Things renamed since the last save, oldest first, so that user files follow. */
  renames?: Rename[];
}
/** A service, a flow, or `Service/Implementation`; `Service/` is the only handler of a service. */
export interface Rename {
  kind: "service" | "implementation" | "flow";
  from: string;
  to: string;
}
export interface SaveResult {
  revision: string;
  problems: Problem[];
}
export interface SaveConflict extends ApiError {
  current: ProjectDocument;
}
/** 422 of GET /api/projects/:id when a file cannot be read: earlier revisions are offered. */
export interface DamagedProject extends ApiError {
  /** The file at fault, relative to the project. */
  file: string;
  /** Of the damaged files: what a PUT that repairs them gives in If-Match. */
  revision: string;
  revisions: RevisionInfo[];
}
export interface RevisionInfo {
  revision: string;
  savedAtMs: number;
}

/** A kind of node that a project may use: what `penstock nodes --json` prints. */
export type NodeInfo = NodeManifest & {
  /** Markdown; "" where there is none. */
  documentation: string;
  /** One of the project's own, from its `nodes/`. */
  own: boolean;
};
export interface NodeList {
  nodes: NodeInfo[];
  /** What is wrong with the project's own. */
  problems: Problem[];
}

export interface GenerateAnswer {
  ok: boolean;
  problems: Problem[];
  written: string[];
  unchanged: number;
  removed: string[];
  milliseconds: number;
}

export interface RunRequest {
  /** Left out: every binary of the project. */
  binary?: string;
  relaxPins?: boolean;
  /** Pools and joins to start with, in every binary that has a preset of this name. */
  preset?: string;
}

/** A file of the user's that the code panel can edit. */
export interface SourceFile {
  /** Opaque id: the server owns the path. */
  id: string;
  /** Relative to the project, for people. */
  path: string;
  /** The node it belongs to, e.g. `service:GetAd`; "" for build files. */
  node: string;
  /** Implementation of the service, where it has several. */
  implementation?: string;
  /** Generated files are shown read-only. */
  owner: "user" | "generated";
  /** False while the handler is as it was generated and answers `unimplemented`. */
  written: boolean;
}
export interface SourceText {
  id: string;
  path: string;
  text: string;
  hash: string;
  readOnly: boolean;
}

/** The user's code beside the drawing. */
export interface HandlersAnswer {
  /** What it names that is not drawn, with file and line. */
  problems: Problem[];
  /** What each such file would be with the names that are drawn, where those are known; saved by a PUT of `text`. */
  changes: HandlerChange[];
}
export interface HandlerChange {
  id: string;
  path: string;
  /** Of the file as it is. */
  hash: string;
  text: string;
  /** The lines that differ; `line` from 1. */
  lines: { line: number; before: string; after: string }[];
}

export interface LogLine {
  seq: number;
  atMs: number;
  binary: string;
  stream: "stdout" | "stderr" | "penstock";
  text: string;
}
