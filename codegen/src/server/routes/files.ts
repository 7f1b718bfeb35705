import type { SourceFile } from "../../contract/index.js";
import { contentHash } from "../../disk/index.js";
import { fileIdOf, readSource, Refusal, withIds, writeSource } from "../../workspace/index.js";
import type { ServerContext } from "./context.js";
import type { RouteHandler } from "./route.js";

/** Also under the names before a rename that no generation has followed yet: an editor may hold text for them. */
async function sourcesOf(project: string, { workspace, toolchain }: ServerContext): Promise<SourceFile[]> {
  const { topology } = await workspace.drawn(project);
  if (!topology) return [];
  const folder = await workspace.folderOf(project);
  const drawn = withIds(await toolchain.describeSources(folder, topology));
  const known = new Set(drawn.map(({ id }) => id));
  const former = withIds(await toolchain.formerSources(folder, topology));
  return [...drawn, ...former.filter(({ id }) => !known.has(id))];
}

interface KnownSource {
  file: SourceFile;
  /** Hash of what Penstock wrote of it, where it did. */
  start?: string | undefined;
}

async function sourceOf(project: string, file: string, context: ServerContext): Promise<KnownSource> {
  const { workspace, toolchain } = context;
  const kept = await toolchain.keptSources(await workspace.folderOf(project));
  // What the last generation left is known without a look at the drawing; only a file that is newer asks for one.
  for (const [path, start] of kept)
    if (fileIdOf(path) === file)
      return { file: { id: file, path, node: "", owner: "user", written: true }, start };
  const found = (await sourcesOf(project, context)).find(({ id }) => id === file);
  if (!found) throw new Refusal("not-found", "The project has no such file", "Look at the list again.");
  return { file: found };
}

export const files: RouteHandler<"files"> = (request, context) => sourcesOf(request.params.project, context);

export const file: RouteHandler<"file"> = async (request, context) => {
  const project = request.params.project;
  const { file } = await sourceOf(project, request.params.file, context);
  return readSource(await context.workspace.folderOf(project), file);
};

export const saveFile: RouteHandler<"saveFile"> = async (request, context) => {
  const project = request.params.project;
  const { file, start } = await sourceOf(project, request.params.file, context);
  const folder = await context.workspace.folderOf(project);
  const { text } = request.body;
  const saved = await context.workspace.changing(() => writeSource(folder, file, text, request.ifMatch));
  return { ...saved, written: contentHash(text) !== start };
};
