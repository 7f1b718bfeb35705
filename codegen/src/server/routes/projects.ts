import { join } from "node:path";
import type { CreateProject } from "../../contract/index.js";
import { listRunning } from "../../run/index.js";
import type { ProjectStart } from "../../workspace/index.js";
import { exampleFolder } from "./examples.js";
import type { RouteHandler } from "./route.js";

export const projects: RouteHandler<"projects"> = async (_request, { workspace }) => {
  const [projects, running] = await Promise.all([workspace.list(), listRunning()]);
  return projects.map((project) => {
    const folder = join(workspace.root, project.name);
    return {
      ...project,
      running: [...new Set(running.filter((entry) => entry.project === folder).map(({ binary }) => binary))],
    };
  });
};

export const createProject: RouteHandler<"createProject"> = async (
  { body },
  { workspace, audit, examplesDir },
) => {
  const info = await workspace.create(body.name, await startOf(body, examplesDir));
  audit.record({ what: "create project", project: info.name, result: "ok" });
  return info;
};

async function startOf({ example, topology }: CreateProject, examplesDir: string): Promise<ProjectStart> {
  if (topology !== undefined) return { kind: "drawing", text: topology };
  if (example === undefined) return { kind: "empty" };
  return { kind: "copy", folder: await exampleFolder(examplesDir, example) };
}

export const duplicateProject: RouteHandler<"duplicateProject"> = async (request, { workspace, audit }) => {
  const info = await workspace.duplicate(request.params.project, request.body.name);
  audit.record({ what: "duplicate project", project: info.name, result: "ok" });
  return info;
};

export const renameProject: RouteHandler<"renameProject"> = async (
  request,
  { workspace, runners, audit },
) => {
  const project = request.params.project;
  const info = await runners.whileStill(project, () => workspace.rename(project, request.body.name));
  audit.record({ what: "rename project", project: info.name, result: "ok" });
  return info;
};

export const deleteProject: RouteHandler<"deleteProject"> = async (
  request,
  { workspace, runners, audit },
) => {
  const project = request.params.project;
  const { name } = await workspace.infoOf(project);
  const kept = await runners.whileStill(project, () => workspace.delete(project));
  audit.record({ what: "delete project", project: name, result: "ok" });
  return { kept };
};

export const project: RouteHandler<"project"> = (request, { workspace }) =>
  workspace.document(request.params.project);

export const saveProject: RouteHandler<"saveProject"> = async (request, { workspace, runners, hub }) => {
  const project = request.params.project;
  const { topologyHash, ...result } = await workspace.save(project, request.ifMatch, request.body);
  runners.known(project)?.drawing.saved(result.revision);
  hub.publish({ type: "saved", project, revision: result.revision, topologyHash });
  return result;
};

export const trustProject: RouteHandler<"trustProject"> = async (request, { workspace, audit }) => {
  const info = await workspace.trustProject(request.params.project);
  audit.record({ what: "trust project", project: info.name, result: "ok" });
  return info;
};

export const revisions: RouteHandler<"revisions"> = (request, { workspace }) =>
  workspace.revisions(request.params.project);

export const revision: RouteHandler<"revision"> = ({ params }, { workspace }) =>
  workspace.revision(params.project, params.revision);
