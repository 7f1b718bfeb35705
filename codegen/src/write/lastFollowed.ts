import { ConfinedFolder } from "../confine/index.js";
import { MANIFEST_PATH, parseManifest } from "./manifest.js";

/** Id of the last rename that the files of the project in `dir` have followed; undefined: of none. */
export function lastFollowed(dir: string): string | undefined {
  const folder = new ConfinedFolder(dir);
  try {
    return parseManifest(folder.read(MANIFEST_PATH)).followed;
  } finally {
    folder.close();
  }
}
