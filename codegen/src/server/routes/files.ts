import type { SourceFile } from "../../protocol/index.js";
import { readSource, Refusal, withIds, writeSource } from "../../workspace/index.js";
import type { House } from "../house.js";
import type { RouteHandler } from "../route.js";

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
  const found = (await sourcesOf(project, house)).find(({ id }) => id === file);
  if (!found) throw new Refusal("not-found", "the project has no such file", "Look at the list again.");
  return found;
}

export const files: RouteHandler<"files"> = (request, house) => sourcesOf(request.params.project, house);

export const file: RouteHandler<"file"> = async (request, house) => {
  const project = request.params.project;
  const file = await sourceOf(project, request.params.file, house);
  return readSource(await house.workspace.folderOf(project), file);
};

export const saveFile: RouteHandler<"saveFile"> = async (request, house) => {
  const project = request.params.project;
  const file = await sourceOf(project, request.params.file, house);
  const folder = await house.workspace.folderOf(project);
  return house.workspace.changing(() => writeSource(folder, file, request.body.text, request.ifMatch));
};
