import type { Source } from "./described/described.js";

/** A file that came with others; its path as far as that is known: `trace.proto`, `v1/trace.proto`. */
export interface Brought {
  path: string;
  text: string;
}

/** The well-known files are their authors' alone: a file that merely ends like one is another. */
const isWellKnown = (imported: string): boolean => imported.startsWith("google/protobuf/");

/**
 * Finds what `of` imports among the files that came with it. They may have come with folders in front (`api/v1/a.proto`
 * for `v1/a.proto`), or without some (`a.proto`). Of several the one is taken that has most of the path, then the one
 * nearest to the top.
 */
export function findAmong(files: readonly Brought[], of: Brought): Source["find"] {
  return (imported) => {
    const found = files
      .filter((file) => file !== of)
      .filter(
        ({ path }) =>
          path === imported ||
          path.endsWith(`/${imported}`) ||
          (!isWellKnown(imported) && imported.endsWith(`/${path}`)),
      )
      .map((file) => ({ file, shared: Math.min(file.path.length, imported.length) }))
      .sort(
        (a, b) =>
          b.shared - a.shared ||
          a.file.path.length - b.file.path.length ||
          Number(a.file.path > b.file.path) - Number(a.file.path < b.file.path),
      );
    return found[0]?.file.text;
  };
}
