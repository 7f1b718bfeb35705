import { z } from "zod";
import type { SourceFile } from "../../protocol/index.js";
import { fileIdOf, readSource, Refusal, withIds, writeSource } from "../../workspace/index.js";
import { LIMITS } from "../defaults.js";
import type { House } from "../house.js";
import { defineRoute, idParam, ifMatch } from "../route.js";

/** Also under the names before a rename that no generation has followed yet: an editor may hold text for them. */
async function sourcesOf(project: string, { workspace, toolchain }: House): Promise<SourceFile[]> {
  const { topology: text } = await workspace.document(project);
  const { topology } = toolchain.format.parse(text);
  if (!topology) return [];
  const folder = await workspace.folderOf(project);
  const drawn = withIds(await toolchain.describeSources(folder, topology));
  const known = new Set(drawn.map(({ id }) => id));
  const former = withIds(await toolchain.formerSources(folder, topology));
  return [...drawn, ...former.filter(({ id }) => !known.has(id))];
}

async function sourceOf(project: string, file: string, house: House): Promise<SourceFile> {
  const { workspace, toolchain } = house;
  const paths = await toolchain.keptSources(await workspace.folderOf(project));
  const path = paths.find((one) => fileIdOf(one) === file);
  // What the last generation left is known without a look at the drawing; only a file that is newer asks for one.
  if (path !== undefined) return { id: file, path, node: "", owner: "user", written: true };
  const found = (await sourcesOf(project, house)).find(({ id }) => id === file);
  if (!found) throw new Refusal("not-found", "the project has no such file", "Look at the list again.");
  return found;
}

export const listFiles = defineRoute({
  method: "get",
  path: "/api/projects/:project/files",
  handle: (request, house) => sourcesOf(idParam(request, "project"), house),
});

export const getFile = defineRoute({
  method: "get",
  path: "/api/projects/:project/files/:file",
  async handle(request, house) {
    const project = idParam(request, "project");
    const file = await sourceOf(project, idParam(request, "file"), house);
    return readSource(await house.workspace.folderOf(project), file);
  },
});

export const saveFile = defineRoute({
  method: "put",
  path: "/api/projects/:project/files/:file",
  limit: LIMITS.sourceBytes,
  body: z.strictObject({ text: z.string() }),
  async handle(request, house) {
    const project = idParam(request, "project");
    const file = await sourceOf(project, idParam(request, "file"), house);
    const folder = await house.workspace.folderOf(project);
    return house.workspace.changing(() => writeSource(folder, file, request.body.text, ifMatch(request)));
  },
});
