import path from "node:path";
import { changeDrawing, loadProject } from "../../pipeline.js";
import { problem, suggest } from "../../model/diagnostics/index.js";
import type { Topology } from "../../model/topology/index.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";

/** A project as it is drawn. */
export interface DrawnProject {
  dir: string;
  /** As on disk. */
  text: string;
  topology: Topology;
}

/** A project with its drawing; a failure with the first problem when it cannot be read as one. */
export async function openDrawnProject(dir: string): Promise<DrawnProject> {
  const { text, topology, problems } = await loadProject(dir);
  if (text !== undefined && topology !== undefined) return { dir, text, topology };
  const [first] = problems;
  throw new Failure(
    EXIT.failed,
    first?.code ?? "PS990",
    first?.message ?? "the drawing cannot be read",
    "`penstock validate` shows every problem.",
  );
}

/** The drawing of a project, to be looked at. */
export const readDrawnProject = async (dir: string): Promise<Topology> =>
  (await openDrawnProject(dir)).topology;

/** A name that is not drawn is a slip of the keyboard. */
export function requireDrawnBinary({ binaries }: Topology, binary: string): void {
  const names = binaries.map(({ name }) => name);
  if (names.includes(binary)) return;
  const near = suggest(binary, names);
  throw usageFailure(
    `there is no binary ${JSON.stringify(binary)}`,
    near === undefined
      ? names.length === 0
        ? "No binary is drawn yet."
        : `There are ${names.join(", ")}.`
      : `Did you mean ${near}?`,
  );
}

/** Writes a changed drawing back, whole; a failure where it was drawn on since it was read. */
export async function writeDrawnProject({ dir, text }: DrawnProject, topology: Topology): Promise<void> {
  if (await changeDrawing(dir, text, topology)) return;
  const { help } = problem("PS989", "", "");
  const file = path.join(dir, "topology.json");
  throw new Failure(EXIT.failed, "PS989", `${file} was changed meanwhile: it is left as it is`, help);
}
