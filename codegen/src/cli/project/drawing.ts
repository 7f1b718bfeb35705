import { changeDrawing, loadProject } from "../../pipeline.js";
import { suggest } from "../../model/diagnostics/index.js";
import type { Topology } from "../../model/topology/index.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";

/** The drawing of a project; a failure with the first problem when it cannot be read as one. */
export async function readDrawnProject(dir: string): Promise<Topology> {
  const { topology, problems } = await loadProject(dir);
  if (topology !== undefined) return topology;
  const [first] = problems;
  throw new Failure(
    EXIT.failed,
    first?.code ?? "PS990",
    first?.message ?? "the drawing cannot be read",
    "`penstock validate` shows every problem.",
  );
}

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

/** Writes a changed drawing back, whole: afterwards the file is the old one or the new one. */
export const writeDrawnProject = (dir: string, topology: Topology): Promise<void> =>
  changeDrawing(dir, topology);
