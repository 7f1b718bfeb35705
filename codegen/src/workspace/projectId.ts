import { createHash } from "node:crypto";

const digest = (kind: string, name: string): string =>
  createHash("sha256").update(`${kind}\0${name}`).digest("hex").slice(0, 20);

/** What clients call a project: says nothing about paths, and stays the same over restarts. */
export const projectIdOf = (folder: string): string => digest("project", folder);

/** What clients call a file of a project. */
export const fileIdOf = (relativePath: string): string => digest("file", relativePath);

/** Folder names the server makes: the name rule of projects. */
export const isProjectFolderName = (name: string): boolean => /^[a-z][a-z0-9_]{0,63}$/.test(name);

/** Folder names the server lists: what people and the command line call a folder, nothing hidden. */
export const isListedFolderName = (name: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/.test(name);
