import type { CommandMap, CommandMethod } from "@penstock/codegen/contract";
import { isHeard } from "../live/liveStore.js";
import { ApiFailure } from "../server/api.js";
import { toast } from "../ui/index.js";
import { shownProject } from "./shownProject.js";

/**
 * Brings a change into force in the running binary, then draws it. A refused change is not drawn:
 * what is drawn and what runs stay together, and the reason is shown. While nobody is there to ask it is only
 * drawn. Resolves to whether nothing was refused.
 *
 * @param draw left out where nothing is drawn of it: the binary is asked in any case
 */
export async function applyLive<M extends CommandMethod>(
  binary: string,
  method: M,
  params: CommandMap[M]["params"],
  draw?: () => void,
): Promise<boolean> {
  const project = shownProject();
  try {
    if (!draw || isHeard(binary)) await project.send(binary, method, params);
    if (draw) project.draw(draw);
    return true;
  } catch (error) {
    if (!project.isShown()) return false;
    const help = error instanceof ApiFailure ? error.help : "";
    toast(error instanceof Error ? error.message : String(error), {
      tone: "bad",
      ...(help === "" ? {} : { body: help }),
    });
    return false;
  }
}
