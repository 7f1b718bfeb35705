import { z } from "zod";
import { LARGEST_DRAWING, layoutSchema } from "../model/topology/index.js";
import {
  exampleInfoSchema,
  generateAnswerSchema,
  handlersAnswerSchema,
  listedProjectSchema,
  logLineSchema,
  MOST_RENAMES,
  nodeListSchema,
  problemSchema,
  projectDocumentSchema,
  projectInfoSchema,
  renameSchema,
  revisionInfoSchema,
  saveResultSchema,
  sourceFileSchema,
  savedSourceSchema,
  sourceTextSchema,
  statusSchema,
} from "./api.js";
import { COMMAND_METHODS } from "./commands.js";
import { IMPORTED_BYTES, importPlanSchema, importRequestSchema } from "./importPlan.js";
import { loadRequestSchema } from "./load.js";
import { binaryName, BUILD_PRESETS, presetName, serviceName, typedName } from "./names.js";
import { profileRequestSchema, profileSchema } from "./profile.js";
import { serviceCallEndSchema, serviceCallSchema, triedCallsSchema } from "./serviceCall.js";

/** One way to ask the server: what server, browser and command line know of it, and what the docs say. */
export interface RouteRow {
  method: "get" | "post" | "put" | "delete";
  /** `:project`, `:file`, `:revision` and `:binary` are ids and names of their forms (`names.ts`). */
  path: string;
  does: string;
  /** JSON; a route without one takes none. */
  body?: z.ZodType;
  /** Largest body in bytes, where it is another than most have. */
  limit?: number;
  /** What `If-Match: "..."` names: what is being replaced, so that nobody's change is lost. */
  ifMatch?: "revision" | "hash";
  query?: Readonly<Record<string, z.ZodType<string>>>;
  /** Answered without `Authorization: Bearer TOKEN`. */
  open?: true;
  /** JSON of a 2xx answer; every other is an ApiError. */
  answer: z.ZodType;
}

const started = z.strictObject({ started: z.literal(true) });
const cancelled = z.strictObject({ cancelled: z.boolean() });
const nothing = z.union([z.undefined(), z.strictObject({})]);
const optional = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.union([z.undefined(), z.strictObject(shape)]);

/** A source file, as JSON text. */
const SOURCE_BYTES = 2_500_000;
const LOAD_BYTES = 262_144;

/** Everything under /api but the socket (`socket.ts`). */
export const ROUTES = {
  exchangeCode: {
    method: "post",
    path: "/api/session",
    does: "swaps a one-time code for the token",
    open: true,
    // Anybody may send it.
    limit: 1_000,
    body: z.strictObject({ code: z.string().max(200) }),
    answer: z.strictObject({ token: z.string() }),
  },
  makeCode: {
    method: "post",
    path: "/api/session/codes",
    does: "makes a fresh one-time address",
    body: nothing,
    answer: z.strictObject({ url: z.string() }),
  },
  status: {
    method: "get",
    path: "/api/status",
    does: "says what the server is and has",
    answer: statusSchema,
  },
  examples: {
    method: "get",
    path: "/api/examples",
    does: "lists the examples",
    answer: z.array(exampleInfoSchema),
  },
  projects: {
    method: "get",
    path: "/api/projects",
    does: "lists the projects",
    answer: z.array(listedProjectSchema),
  },
  createProject: {
    method: "post",
    path: "/api/projects",
    does: "makes a project: empty, a copy of an example, or from a `topology.json`, which keeps its own name",
    limit: LARGEST_DRAWING,
    body: z.strictObject({
      /** Folder and project name. */
      name: typedName,
      example: typedName.exactOptional(),
      topology: z.string().exactOptional(),
    }),
    answer: projectInfoSchema,
  },
  project: {
    method: "get",
    path: "/api/projects/:project",
    does: "reads a drawing; 422 with earlier revisions when a file is damaged",
    answer: projectDocumentSchema,
  },
  saveProject: {
    method: "put",
    path: "/api/projects/:project",
    does: "saves a drawing, with what was renamed since, oldest first; 409 with the current one when somebody else did",
    ifMatch: "revision",
    limit: LARGEST_DRAWING,
    body: z.strictObject({
      topology: z.string(),
      layout: layoutSchema,
      renames: z.array(renameSchema).max(MOST_RENAMES).exactOptional(),
    }),
    answer: saveResultSchema,
  },
  planImport: {
    method: "post",
    path: "/api/projects/:project/import",
    does: "says what files that describe interfaces (`.proto`, IDL) would add to a drawing, and changes nothing; 422 with file and line when one cannot be read",
    limit: LARGEST_DRAWING + IMPORTED_BYTES,
    body: importRequestSchema,
    answer: importPlanSchema,
  },
  duplicateProject: {
    method: "post",
    path: "/api/projects/:project/duplicate",
    does: "copies a project",
    body: z.strictObject({ name: typedName }),
    answer: projectInfoSchema,
  },
  renameProject: {
    method: "post",
    path: "/api/projects/:project/rename",
    does: "renames a project's folder, which gives it another id; 409 while it runs or somebody else builds it",
    body: z.strictObject({ name: typedName }),
    answer: projectInfoSchema,
  },
  deleteProject: {
    method: "delete",
    path: "/api/projects/:project",
    does: "moves a project to where it can be brought back from; 409 while it runs or somebody else builds it",
    answer: z.strictObject({ kept: z.string() }),
  },
  revisions: {
    method: "get",
    path: "/api/projects/:project/revisions",
    does: "lists earlier drawings",
    answer: z.array(revisionInfoSchema),
  },
  revision: {
    method: "get",
    path: "/api/projects/:project/revisions/:revision",
    does: "reads an earlier drawing",
    answer: projectDocumentSchema,
  },
  trustProject: {
    method: "post",
    path: "/api/projects/:project/trust",
    does: "keeps that the user has looked at the project and said yes",
    body: nothing,
    answer: projectInfoSchema,
  },
  generate: {
    method: "post",
    path: "/api/projects/:project/generate",
    does: "writes the C++; with `force` over generated files that were edited",
    body: optional({ force: z.boolean().exactOptional() }),
    answer: generateAnswerSchema,
  },
  startBuild: {
    method: "post",
    path: "/api/projects/:project/build",
    does: "builds; progress comes on the socket",
    body: optional({ preset: z.enum(BUILD_PRESETS).exactOptional() }),
    answer: started,
  },
  cancelBuild: {
    method: "delete",
    path: "/api/projects/:project/build",
    does: "ends a build",
    answer: cancelled,
  },
  startBench: {
    method: "post",
    path: "/api/projects/:project/bench",
    does: "runs the benchmarks, those of one service where it is named; progress and figures come on the socket",
    body: optional({ service: serviceName.exactOptional() }),
    answer: started,
  },
  cancelBench: {
    method: "delete",
    path: "/api/projects/:project/bench",
    does: "ends the benchmarks",
    answer: cancelled,
  },
  startLoad: {
    method: "post",
    path: "/api/projects/:project/load",
    does: "loads a flow, or an address of this machine; seconds and the end come on the socket",
    limit: LOAD_BYTES,
    body: loadRequestSchema,
    answer: started,
  },
  cancelLoad: {
    method: "delete",
    path: "/api/projects/:project/load",
    does: "ends a load",
    answer: cancelled,
  },
  profile: {
    method: "post",
    path: "/api/projects/:project/profile",
    does: "records where the CPU time of a running binary goes; answers when it is recorded",
    body: profileRequestSchema,
    answer: profileSchema,
  },
  cancelProfile: {
    method: "delete",
    path: "/api/projects/:project/profile",
    does: "ends a recording, whose answer is 503",
    answer: cancelled,
  },
  startRun: {
    method: "post",
    path: "/api/projects/:project/run",
    does: "runs one binary, or all, with the pools and joins of a preset where one is named; state comes on the socket",
    body: optional({
      binary: binaryName.exactOptional(),
      relaxPins: z.boolean().exactOptional(),
      preset: presetName.exactOptional(),
    }),
    answer: started,
  },
  stopRun: {
    method: "post",
    path: "/api/projects/:project/stop",
    does: "stops one binary, or all",
    body: optional({ binary: binaryName.exactOptional() }),
    answer: z.strictObject({ stopped: z.array(z.string()) }),
  },
  attach: {
    method: "post",
    path: "/api/projects/:project/attach",
    does: "makes a process known that something else started, by its control address on this host and its token, which no answer has; what was made from another drawing is a problem of the answer",
    body: z.strictObject({ address: z.string().max(300), token: z.string().max(4096) }),
    answer: z.strictObject({ binary: z.string(), name: z.string(), problems: z.array(problemSchema) }),
  },
  detach: {
    method: "post",
    path: "/api/projects/:project/detach",
    does: "takes out a process that is attached, by its name (`ads-server@9901`), and forgets its token; it goes on",
    body: z.strictObject({ name: z.string().max(200) }),
    answer: z.strictObject({ detached: z.string() }),
  },
  nodes: {
    method: "get",
    path: "/api/projects/:project/nodes",
    does: "lists the kinds of nodes and sources that a project may use",
    answer: nodeListSchema,
  },
  files: {
    method: "get",
    path: "/api/projects/:project/files",
    does: "lists the code",
    answer: z.array(sourceFileSchema),
  },
  file: {
    method: "get",
    path: "/api/projects/:project/files/:file",
    does: "reads a file of the code",
    answer: sourceTextSchema,
  },
  saveFile: {
    method: "put",
    path: "/api/projects/:project/files/:file",
    does: "saves a file of the code; 409 with the current one when somebody else did",
    ifMatch: "hash",
    limit: SOURCE_BYTES,
    body: z.strictObject({ text: z.string() }),
    answer: savedSourceSchema,
  },
  handlers: {
    method: "get",
    path: "/api/projects/:project/handlers",
    does: "says what the code names that is not drawn",
    answer: handlersAnswerSchema,
  },
  sendCommand: {
    method: "post",
    path: "/api/projects/:project/binaries/:binary/command",
    does: "changes a running binary (`commands.ts`); answers when it is in force",
    body: z.strictObject({
      method: z.enum(COMMAND_METHODS),
      params: z.record(z.string(), z.unknown()),
    }),
    answer: z.unknown(),
  },
  callService: {
    method: "post",
    path: "/api/projects/:project/binaries/:binary/call",
    does: "asks a service of a running binary once",
    body: serviceCallSchema,
    answer: serviceCallEndSchema,
  },
  triedCalls: {
    method: "get",
    path: "/api/projects/:project/calls",
    does: "lists what was asked of the services before",
    answer: triedCallsSchema,
  },
  logs: {
    method: "get",
    path: "/api/projects/:project/logs",
    does: "reads the logs, of one binary where it is named",
    query: { binary: binaryName },
    answer: z.strictObject({ lines: z.array(logLineSchema) }),
  },
} as const satisfies Record<string, RouteRow>;

export type RouteName = keyof typeof ROUTES;
type Row<Name extends RouteName> = (typeof ROUTES)[Name];

type ParamsIn<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamsIn<`/${Rest}`>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never;

/** The parameters in the path of a route. */
export type RouteParams<Name extends RouteName> = Record<ParamsIn<Row<Name>["path"]>, string>;
export type RouteBody<Name extends RouteName> =
  Row<Name> extends { body: infer Body extends z.ZodType } ? z.infer<Body> : undefined;
export type RouteAnswer<Name extends RouteName> = z.infer<Row<Name>["answer"]>;

export type CreateProject = RouteBody<"createProject">;
export type SaveProject = RouteBody<"saveProject">;
export type RunRequest = NonNullable<RouteBody<"startRun">>;

/** The address of a route, its parameters put in. */
export function routePath<Name extends RouteName>(
  name: Name,
  params: RouteParams<Name>,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given: Readonly<Record<string, string>> = params;
  const path = ROUTES[name].path.replace(/:(\w+)/g, (_, param: string) =>
    encodeURIComponent(given[param] ?? ""),
  );
  const asked = Object.entries(query)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`]))
    .join("&");
  return asked === "" ? path : `${path}?${asked}`;
}
