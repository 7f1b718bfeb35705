import { cp, lstat, mkdir, rename, rm } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { emptyLayout, newProject, printLayout, type Topology } from "../model/topology/index.js";
import { ConfinedFolder, replaceFile } from "../disk/index.js";
import {
  decodeText,
  LAYOUT_FILE,
  readDrawing,
  TOPOLOGY_FILE,
  type TopologyFormat,
} from "./drawing/drawing.js";
import { isProjectFolderName } from "./projectId.js";
import { Refusal } from "./drawing/refusal.js";
import { placeOf } from "./drawing/saveDrawing.js";
import { giveRenames, notedRenames } from "./kept/pendingRenames.js";

/** What a new project is made of: nothing, a drawing that somebody brings, or a folder (an example, another project). */
export type ProjectStart =
  { kind: "empty" } | { kind: "drawing"; text: string } | { kind: "copy"; folder: string };

/** Folders that a copy does not want: what a build makes, and histories. */
const NOT_COPIED = new Set(["build", ".git", "node_modules"]);

/** Refuses names that are no folder name or no project name (they become a C++ namespace). */
export function checkProjectName(name: string, format: TopologyFormat): void {
  const help = "Use lower-case letters, digits and _, beginning with a letter, at most 64 characters.";
  if (!isProjectFolderName(name))
    throw new Refusal("invalid", `${JSON.stringify(name)} is no project name`, help);
  const problems = format.validate(newProject(name)).filter((problem) => problem.pointer === "/name");
  const refused = problems.find((problem) => problem.severity === "error");
  if (refused) throw new Refusal("invalid", refused.message, refused.help || help, problems);
}

/**
 * Makes a project's folder, whole or not at all: it is filled under another name and then
 * renamed into place. What the files of a project have yet to follow, those of its copy have, too.
 */
export async function createProject(
  workspace: string,
  name: string,
  from: ProjectStart,
  format: TopologyFormat,
): Promise<void> {
  checkProjectName(name, format);
  const target = join(workspace, name);
  const exists = await lstat(target).then(
    () => true,
    () => false,
  );
  if (exists) throw new Refusal("exists", `There is a ${name} already`, "Choose another name.");
  const making = join(workspace, `.new-${name}-${randomBytes(6).toString("hex")}`);
  try {
    const renames = from.kind === "copy" ? await notedRenames(placeOf(from.folder)) : [];
    if (from.kind === "copy") await copyProject(from.folder, making, format);
    else
      await makeFolder(
        making,
        from.kind === "drawing" ? readDrawn(from.text, format) : newProject(name),
        format,
      );
    // Before anybody can generate it.
    await giveRenames(placeOf(target), renames);
    await rename(making, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST" && error.code !== "ENOTDIR") throw error;
      throw new Refusal("exists", `There is a ${name} already`, "Choose another name.");
    });
    await ConfinedFolder.within(workspace, (parent) => parent.flush([""]));
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
}

function readDrawn(text: string, format: TopologyFormat): Topology {
  const { topology, problems } = format.parse(text);
  if (!topology)
    throw new Refusal("invalid", "This is no topology.json", "See what is wrong with it.", problems);
  return topology;
}

async function makeFolder(folder: string, topology: Topology, format: TopologyFormat): Promise<void> {
  await mkdir(folder);
  await replaceFile(join(folder, TOPOLOGY_FILE), format.print(topology));
  await replaceFile(join(folder, LAYOUT_FILE), printLayout(emptyLayout()));
}

/**
 * The drawing keeps its own name: its handlers are written in that C++ namespace, and a folder may be
 * called otherwise. Links and special files stay behind.
 */
async function copyProject(from: string, folder: string, format: TopologyFormat): Promise<void> {
  await cp(from, folder, {
    recursive: true,
    filter: async (source) => {
      if (NOT_COPIED.has(source.slice(from.length + 1).split("/")[0] ?? "")) return false;
      const stats = await lstat(source);
      return stats.isFile() || stats.isDirectory();
    },
  });
  const text = decodeText((await readDrawing(folder)).topology) ?? "";
  const { topology, problems } = format.parse(text);
  if (!topology)
    throw new Refusal("damaged", "What is to be copied cannot be read", "Open it to see why.", problems);
}
