import { setImmediate } from "node:timers/promises";
import type { RouteAnswer } from "../../contract/index.js";
import { ConfinedFolder } from "../../disk/index.js";
import { findAmong, importFiles, isImported, NotReadable } from "../../imports/index.js";
import { problem } from "../../model/diagnostics/index.js";
import { HttpRefusal } from "../http/httpRefusal.js";
import type { RouteHandler } from "./route.js";

/** As the largest of the public files, several times. */
const LARGEST_BESIDE = 1_000_000;

/** What the files import is looked for among them, then in the project's folder. Nothing is written. */
export const planImport: RouteHandler<"planImport"> = async (
  { params, body, signal },
  { workspace, toolchain },
) => {
  const { topology, problems } = toolchain.format.parse(body.topology);
  if (topology === undefined)
    throw new HttpRefusal(422, "drawing", "This is no drawing", "Correct it, then import again.", {
      problems,
    });
  const folder = await workspace.folderOf(params.project);
  return ConfinedFolder.within(folder, async (beside): Promise<RouteAnswer<"planImport">> => {
    const sources = body.files.map((file) => {
      const among = findAmong(body.files, file);
      const find = (imported: string): string | undefined =>
        among(imported) ?? (isImported(imported) ? beside.readIfPlain(imported, LARGEST_BESIDE) : undefined);
      return { file: file.path, text: file.text, find };
    });
    const pause = async (): Promise<void> => {
      await setImmediate();
      if (signal.aborted) throw new HttpRefusal(400, "aborted", "The request was cut off");
    };
    try {
      const plan = await importFiles(topology, sources, pause);
      return { ...plan, topology: toolchain.format.print(plan.topology) };
    } catch (error) {
      if (!(error instanceof NotReadable)) throw error;
      throw unreadable(error);
    }
  });
};

/** In a browser there is no -I. */
const MISSING_TOO = "Correct the file; what it imports and is not in the project is dropped along with it.";

function unreadable({ file, line, message }: NotReadable): HttpRefusal {
  const found = {
    ...problem("PS980", "", message, { file, ...(line === undefined ? {} : { line }) }),
    help: MISSING_TOO,
  };
  const place = line === undefined ? file : `${file}:${line}`;
  return new HttpRefusal(422, "unreadable", `${place}: ${message}`, found.help, { problems: [found] });
}
