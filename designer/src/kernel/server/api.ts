import type {
  ApiError,
  BuildStatus,
  CommandMap,
  CommandMethod,
  CreateProject,
  ExampleInfo,
  GenerateAnswer,
  HandlersAnswer,
  ListedProject,
  LoadRequest,
  LogLine,
  NodeList,
  ProjectDocument,
  ProjectInfo,
  RevisionInfo,
  RunRequest,
  SaveConflict,
  SaveProject,
  SaveResult,
  ServiceCall,
  ServiceCallEnd,
  SourceFile,
  SourceText,
  Status,
  TriedCalls,
} from "@penstock/codegen/protocol";
import type { Problem } from "@penstock/codegen/diagnostics";
import { readToken } from "./session.js";

/** What the server refused, in its own words; `status` 0 is a server that does not answer. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly help: string,
    readonly problems: readonly Problem[],
    /** The whole answer, for the two routes that send the current version along with a 409. */
    readonly body: unknown,
  ) {
    super(message);
  }
}

let refused: () => void = () => {};
/** Called when the server answers 401: the token is no longer good. */
export const onRefused = (listener: () => void): void => {
  refused = listener;
};

interface Options {
  body?: unknown;
  ifMatch?: string;
  signal?: AbortSignal;
}

async function request<T>(method: string, path: string, { body, ifMatch, signal }: Options = {}): Promise<T> {
  const headers: Record<string, string> = { authorization: `Bearer ${readToken() ?? ""}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (ifMatch !== undefined) headers["if-match"] = `"${ifMatch}"`;
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers,
      credentials: "omit",
      cache: "no-store",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiFailure(
      0,
      "unreachable",
      "The Penstock server does not answer",
      "Start it again: npm start",
      [],
      null,
    );
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  if (response.status === 401) refused();
  const error = (answer as ApiError | null)?.error;
  throw new ApiFailure(
    response.status,
    error?.code ?? "unknown",
    error?.message ?? `The server answered ${response.status}`,
    error?.help ?? "",
    error?.problems ?? [],
    answer,
  );
}

const id = encodeURIComponent;

export const api = {
  status: (signal?: AbortSignal) => request<Status>("GET", "/status", signal ? { signal } : {}),
  examples: () => request<ExampleInfo[]>("GET", "/examples"),
  projects: () => request<ListedProject[]>("GET", "/projects"),
  create: (project: CreateProject) => request<ProjectInfo>("POST", "/projects", { body: project }),
  duplicate: (project: string, name: string) =>
    request<ProjectInfo>("POST", `/projects/${id(project)}/duplicate`, { body: { name } }),
  rename: (project: string, name: string) =>
    request<ProjectInfo>("POST", `/projects/${id(project)}/rename`, { body: { name } }),
  remove: (project: string) => request<{ kept: string }>("DELETE", `/projects/${id(project)}`),
  project: (project: string) => request<ProjectDocument>("GET", `/projects/${id(project)}`),
  nodes: (project: string) => request<NodeList>("GET", `/projects/${id(project)}/nodes`),
  save: (project: string, body: SaveProject, revision: string) =>
    request<SaveResult>("PUT", `/projects/${id(project)}`, { body, ifMatch: revision }),
  revisions: (project: string) => request<RevisionInfo[]>("GET", `/projects/${id(project)}/revisions`),
  revision: (project: string, revision: string) =>
    request<ProjectDocument>("GET", `/projects/${id(project)}/revisions/${id(revision)}`),
  trust: (project: string) => request<ProjectInfo>("POST", `/projects/${id(project)}/trust`, { body: {} }),
  generate: (project: string, force = false) =>
    request<GenerateAnswer>("POST", `/projects/${id(project)}/generate`, { body: force ? { force } : {} }),
  build: (project: string) =>
    request<{ started: true }>("POST", `/projects/${id(project)}/build`, { body: {} }),
  cancelBuild: (project: string) =>
    request<{ cancelled: boolean }>("DELETE", `/projects/${id(project)}/build`),
  bench: (project: string, service?: string) =>
    request<{ started: true }>("POST", `/projects/${id(project)}/bench`, {
      body: service ? { service } : {},
    }),
  cancelBench: (project: string) =>
    request<{ cancelled: boolean }>("DELETE", `/projects/${id(project)}/bench`),
  load: (project: string, asked: LoadRequest) =>
    request<{ started: true }>("POST", `/projects/${id(project)}/load`, { body: asked }),
  cancelLoad: (project: string) => request<{ cancelled: boolean }>("DELETE", `/projects/${id(project)}/load`),
  run: (project: string, what: RunRequest = {}) =>
    request<{ started: true }>("POST", `/projects/${id(project)}/run`, { body: what }),
  stop: (project: string, binary?: string) =>
    request<{ stopped: string[] }>("POST", `/projects/${id(project)}/stop`, {
      body: binary ? { binary } : {},
    }),
  files: (project: string) => request<SourceFile[]>("GET", `/projects/${id(project)}/files`),
  handlers: (project: string) => request<HandlersAnswer>("GET", `/projects/${id(project)}/handlers`),
  file: (project: string, file: string) =>
    request<SourceText>("GET", `/projects/${id(project)}/files/${id(file)}`),
  saveFile: (project: string, file: string, text: string, hash: string) =>
    request<SourceText>("PUT", `/projects/${id(project)}/files/${id(file)}`, {
      body: { text },
      ifMatch: hash,
    }),
  command: <M extends CommandMethod>(
    project: string,
    binary: string,
    method: M,
    params: CommandMap[M]["params"],
  ) =>
    request<CommandMap[M]["result"]>("POST", `/projects/${id(project)}/binaries/${id(binary)}/command`, {
      body: { method, params },
    }),
  call: (project: string, binary: string, body: ServiceCall) =>
    request<ServiceCallEnd>("POST", `/projects/${id(project)}/binaries/${id(binary)}/call`, { body }),
  triedCalls: (project: string) => request<TriedCalls>("GET", `/projects/${id(project)}/calls`),
  logs: (project: string, binary?: string) =>
    request<{ lines: LogLine[] }>(
      "GET",
      `/projects/${id(project)}/logs${binary ? `?binary=${id(binary)}` : ""}`,
    ),
};

export type { BuildStatus, SaveConflict };
