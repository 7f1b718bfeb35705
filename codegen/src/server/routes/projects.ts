import { z } from "zod";
import { layoutSchema } from "../../topology/index.js";
import { renamesSchema } from "../../workspace/index.js";
import { LIMITS } from "../defaults.js";
import { exampleFolder } from "../examples.js";
import { defineRoute, idParam, ifMatch } from "../route.js";

export const listProjects = defineRoute({
  method: "get",
  path: "/api/projects",
  handle: (_request, { workspace }) => workspace.list(),
});

export const createProject = defineRoute({
  method: "post",
  path: "/api/projects",
  body: z.strictObject({ name: z.string().max(200), example: z.string().max(200).optional() }),
  async handle({ body }, { workspace, audit, examplesDir }) {
    const folder = body.example === undefined ? undefined : await exampleFolder(examplesDir, body.example);
    const info = await workspace.create(body.name, folder);
    audit.record({ what: "create project", project: info.name, result: "ok" });
    return info;
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
  async handle(request, { workspace, hub, toolchain }) {
    const project = idParam(request, "project");
    const { topology, layout, renames } = request.body;
    const body = { topology, layout, ...(renames ? { renames } : {}) };
    const result = await workspace.save(project, ifMatch(request), body);
    const parsed = toolchain.format.parse(topology).topology;
    const topologyHash = parsed ? toolchain.format.hash(parsed) : "";
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
