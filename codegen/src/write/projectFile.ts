import type { RenamedNames } from "./renamedNames.js";

/** A file as it is to be. `generated` ones are Penstock's, `yours` the user's from his first edit on. */
export interface ProjectFile {
  /** Relative to the project, with `/`; made of checked names only. */
  path: string;
  text: string;
  owner: "generated" | "yours";
  /** Needed by the build: made again whenever it is missing. Others that the user deleted stay deleted. */
  required: boolean;
}

/** A file of the user's that stood elsewhere under older names, and the words that follow the rename. */
export interface MovedSource {
  path: string;
  oldPath: string;
  words: (readonly [from: string, to: string])[];
  headers: (readonly [from: string, to: string])[];
}

/** What the user's files follow. */
export interface FollowedSources {
  moved: readonly MovedSource[];
  /** Undefined where all messages and enums, and what is in them, are called as they were. */
  names: RenamedNames | undefined;
}

/** All that a project is to be. */
export interface ProjectTree extends FollowedSources {
  version: string;
  topologyHash: string;
  files: ReadonlyMap<string, ProjectFile>;
  /** The user's files that belong to something drawn, whether they exist or not. */
  sources: readonly string[];
  /** Id of the last rename that is followed; undefined: of none that has one. */
  followed?: string | undefined;
  /** Hash of the manifest that was there before the drawing was read; undefined: there was none. */
  manifestWas: string | undefined;
}
