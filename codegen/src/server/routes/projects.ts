import { join } from "node:path";
import { z } from "zod";
import type { ListedProject } from "../../protocol/index.js";
import { listRunning } from "../../run/index.js";
import { layoutSchema } from "../../topology/index.js";
import { renamesSchema, type ProjectStart } from "../../workspace/index.js";
import { LIMITS } from "../defaults.js";
import { exampleFolder } from "../examples.js";
import { defineRoute, idParam, ifMatch } from "../route.js";

const nameSchema = z.string().max(200);

export const listProjects = defineRoute({
  method: "get",
  path: "/api/projects",
  async handle(_request, { workspace }): Promise<ListedProject[]> {
    const [projects, running] = await Promise.all([workspace.list(), listRunning()]);
    return projects.map((project) => {
      const folder = join(workspace.root, project.name);
      return {
        ...project,
        running: running.filter((entry) => entry.project === folder).map(({ binary }) => binary),
      };
    });
  },
});

export const createProject = defineRoute({
  method: "post",
  path: "/api/projects",
  limit: LIMITS.importBytes,
  body: z.strictObject({
    name: nameSchema,
    example: z.string().max(200).optional(),
    topology: z.string().optional(),
  }),
  async handle({ body }, { workspace, audit, examplesDir }) {
    const info = await workspace.create(body.name, await startOf(body, examplesDir));
    audit.record({ what: "create project", project: info.name, result: "ok" });
    return info;
  },
});

async function startOf(
  { example, topology }: { example?: string | undefined; topology?: string | undefined },
  examplesDir: string,
): Promise<ProjectStart> {
  if (topology !== undefined) return { kind: "drawing", text: topology };
  if (example === undefined) return { kind: "empty" };
  return { kind: "copy", folder: await exampleFolder(examplesDir, example) };
}

export const duplicateProject = defineRoute({
  method: "post",
  path: "/api/projects/:project/duplicate",
  body: z.strictObject({ name: nameSchema }),
  async handle(request, { workspace, audit }) {
    const info = await workspace.duplicate(idParam(request, "project"), request.body.name);
    audit.record({ what: "duplicate project", project: info.name, result: "ok" });
    return info;
  },
});

export const renameProject = defineRoute({
  method: "post",
  path: "/api/projects/:project/rename",
  body: z.strictObject({ name: nameSchema }),
  async handle(request, { workspace, runners, audit }) {
    const project = idParam(request, "project");
    const info = await runners.whileStill(project, () => workspace.rename(project, request.body.name));
    audit.record({ what: "rename project", project: info.name, result: "ok" });
    return info;
  },
});

export const deleteProject = defineRoute({
  method: "delete",
  path: "/api/projects/:project",
  async handle(request, { workspace, runners, audit }) {
    const project = idParam(request, "project");
    const { name } = await workspace.infoOf(project);
    const kept = await runners.whileStill(project, () => workspace.delete(project));
    audit.record({ what: "delete project", project: name, result: "ok" });
    return { kept };
  },
});

export const openProject = defineRoute({
  method: "get",
  path: "/api/projects/:project",
  handle: (request, { workspace }) => workspace.document(idParam(request, "project")),
});

export const saveProject = defineRoute({
  method: "put",
  path: "/api/projects/:project",
  limit: LIMITS.importBytes,
  body: z.strictObject({ topology: z.string(), layout: layoutSchema, renames: renamesSchema.optional() }),
  async handle(request, { workspace, hub }) {
    const project = idParam(request, "project");
    const { topology, layout, renames } = request.body;
    const body = { topology, layout, ...(renames ? { renames } : {}) };
    const { topologyHash, ...result } = await workspace.save(project, ifMatch(request), body);
    hub.publish({ type: "saved", project, revision: result.revision, topologyHash });
    return result;
  },
});

export const trustProject = defineRoute({
  method: "post",
  path: "/api/projects/:project/trust",
  body: z.union([z.undefined(), z.strictObject({})]),
  async handle(request, { workspace, audit }) {
    const info = await workspace.trustProject(idParam(request, "project"));
    audit.record({ what: "trust project", project: info.name, result: "ok" });
    return info;
  },
});
