import type { Problem } from "../model/diagnostics/index.js";
import type { Topology } from "../model/topology/index.js";
import { validateTopology } from "../model/validate/index.js";
import { addTo, type Added } from "./addTo.js";
import { NotReadable, type Read, type ReadDescriptions, type Source } from "./described/described.js";
import { IMPORT_ENDINGS } from "./endings.js";
import { readerFor } from "./readers.js";
import { together } from "./together.js";

/** What an import makes of a drawing, before anybody said yes. */
export interface Import extends Added {
  /** Errors that the drawing would have then, and has not now. */
  problems: Problem[];
}

/**
 * The drawing with what the files describe, and what there is to know of it before it is taken. Between two files
 * `pause` lets others go on; what it throws ends the import.
 * @throws {NotReadable}
 */
export async function importFiles(
  topology: Topology,
  sources: readonly Source[],
  pause: () => Promise<void> = async () => {},
): Promise<Import> {
  const read: Read[] = [];
  for (const [reader, files] of byReader(sources)) read.push(...(await (await reader())(files, pause)));
  const added = addTo(topology, together(read));
  await pause();
  return { ...added, problems: newErrors(topology, added.topology) };
}

/** Files of one kind are read together. @throws {NotReadable} of one that nobody reads */
function byReader(sources: readonly Source[]): Map<() => Promise<ReadDescriptions>, Source[]> {
  const groups = new Map<() => Promise<ReadDescriptions>, Source[]>();
  for (const source of sources) {
    const reader = readerFor(source.file);
    if (reader === undefined) {
      const kinds = IMPORT_ENDINGS.join(", ");
      throw new NotReadable(`is of no kind that can be imported: ${kinds}`, source.file, undefined);
    }
    const group = groups.get(reader);
    if (group === undefined) groups.set(reader, [source]);
    else group.push(source);
  }
  return groups;
}

/** Errors of the drawing that it did not have before. */
function newErrors(before: Topology, after: Topology): Problem[] {
  const errors = (topology: Topology): Problem[] =>
    validateTopology(topology).filter(({ severity }) => severity === "error");
  const known = new Set(errors(before).map(({ code, message }) => `${code} ${message}`));
  return errors(after).filter(({ code, message }) => !known.has(`${code} ${message}`));
}
