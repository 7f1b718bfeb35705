import { copyFile, constants } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Problem } from "../../model/diagnostics/index.js";
import type { ProjectDocument } from "../../contract/index.js";
import { printLayout, type Topology } from "../../model/topology/index.js";
import { OutsideError, TooLargeError } from "../../disk/index.js";
import {
  decodeText,
  layoutProblem,
  readDrawing,
  readLayout,
  TOPOLOGY_FILE,
  type Drawing,
  type TopologyFormat,
} from "./drawing.js";
import { Refusal } from "./refusal.js";
import { listRevisions } from "./revisions.js";
import { finishSave, saveDrawing, type DrawingPlace } from "./saveDrawing.js";
import { findRottenFile, rememberSaved } from "./savedStamp.js";

/** A project as it was read: what the browser is sent, and what its text says where this server can tell. */
export interface DrawnProject {
  document: ProjectDocument;
  topology: Topology | undefined;
}

/** What was read last of a project, so that the same text is parsed once. */
export interface KnownDrawing {
  revision: string;
  topology: Topology;
}

export interface ReadContext {
  id: string;
  place: DrawingPlace;
  format: TopologyFormat;
  writable: boolean;
  trusted: boolean;
  nowMs: number;
  known: KnownDrawing | undefined;
}

/** The format version a text claims, without reading the rest; undefined when it claims none. */
function claimedVersion(text: string): number | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const version = (value as { penstock?: unknown } | null)?.penstock;
    return typeof version === "number" ? version : undefined;
  } catch {
    return undefined;
  }
}

async function damaged(
  context: ReadContext,
  drawing: Drawing,
  file: string,
  why: string,
  problems?: Problem[],
) {
  return new Refusal(
    "damaged",
    `${file} is damaged: ${why}`,
    "Open an earlier revision, or repair the file with a text editor.",
    problems,
    {
      revision: drawing.revision,
      revisions: await listRevisions(join(context.place.records, "revisions")),
      file,
      path: join(context.place.root, file),
    },
  );
}

async function readOrRefuse(context: ReadContext): Promise<Drawing> {
  try {
    if (context.writable) finishSave(context.place);
    return await readDrawing(context.place.root);
  } catch (error) {
    if (error instanceof OutsideError) {
      throw new Refusal("outside", error.message, "Links and special files are not opened.");
    }
    if (error instanceof TooLargeError) {
      throw new Refusal("too-large", error.message, "Larger drawings are not opened.");
    }
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new Refusal(
        "not-found",
        `The project has no ${TOPOLOGY_FILE}`,
        "It may have been moved or deleted.",
      );
    }
    throw error;
  }
}

/**
 * Reads a project as the browser shows it: finishes a save that was cut off, migrates an older
 * format (the original is kept beside it), opens a newer one read-only, names a damaged file.
 */
export async function readDocument(context: ReadContext): Promise<DrawnProject> {
  const { id, place, format, writable, trusted } = context;
  const drawing = await readOrRefuse(context);
  const rotten = await findRottenFile(place, drawing);
  const rot = "its content changed although no program wrote it";
  if (rotten === TOPOLOGY_FILE) throw await damaged(context, drawing, rotten, rot);
  const { layout, problems } = readLayout(drawing);
  if (rotten !== undefined && problems.length === 0) problems.push(layoutProblem(rot));
  const text = decodeText(drawing.topology);
  if (text === undefined) throw await damaged(context, drawing, TOPOLOGY_FILE, "it is not valid UTF-8");
  const document: ProjectDocument = {
    id,
    folder: basename(place.root),
    revision: drawing.revision,
    topology: text,
    layout,
    ...(problems.length > 0 ? { layoutProblems: problems } : {}),
    readOnly: !writable,
    readOnlyReason: writable ? "" : "read-only workspace",
    trusted,
  };
  if (context.known?.revision === drawing.revision) return { document, topology: context.known.topology };
  const version = claimedVersion(text);
  if (version !== undefined && version > format.version) {
    const readOnlyReason = "made by a newer version";
    return { document: { ...document, readOnly: true, readOnlyReason }, topology: undefined };
  }
  const parsed = format.parse(text);
  if (!parsed.topology) {
    const first = parsed.problems.find((problem) => problem.severity === "error");
    throw await damaged(
      context,
      drawing,
      TOPOLOGY_FILE,
      first?.message ?? "it is no topology",
      parsed.problems,
    );
  }
  const { topology, migratedFrom } = parsed;
  if (migratedFrom === undefined) return { document, topology };
  const migrated = { ...document, topology: format.print(topology), migratedFrom };
  if (!writable) return { document: migrated, topology };
  const revision = await replaceMigrated(context, drawing, migrated);
  // Somebody has written it meanwhile: that is what there is to show.
  return revision === undefined ? readDocument(context) : { document: { ...migrated, revision }, topology };
}

async function replaceMigrated(
  { place, nowMs }: ReadContext,
  replaces: Drawing,
  { topology, layout: read, migratedFrom }: ProjectDocument,
): Promise<string | undefined> {
  const layout = printLayout(read);
  const backup = join(place.root, `topology.v${migratedFrom}.json`);
  await copyFile(join(place.root, TOPOLOGY_FILE), backup, constants.COPYFILE_EXCL).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  });
  const revision = await saveDrawing(place, { topology, layout, savedAtMs: nowMs, replaces });
  if (revision !== undefined) await rememberSaved(place, topology, layout);
  return revision;
}
