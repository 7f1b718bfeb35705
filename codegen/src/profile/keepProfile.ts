import { join } from "node:path";
import { ConfinedFolder } from "../disk/index.js";

const FOLDER = "build/profile";

/**
 * Keeps the last flame graph of a binary in its project; gives its path. Throws when a link stands in the way: a project
 * may come from somebody else.
 */
export async function keepFlameGraph(projectDir: string, binary: string, svg: string): Promise<string> {
  const path = `${FOLDER}/${binary}.svg`;
  await ConfinedFolder.within(projectDir, (folder) => folder.replace(path, svg));
  return join(projectDir, path);
}
