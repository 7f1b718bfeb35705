import type { CommandMap, CommandMethod } from "@penstock/codegen/contract";
import { sendCommand } from "../connection/commands.js";
import { isHeard } from "../live/liveStore.js";
import { ApiFailure } from "../server/api.js";
import { toast } from "../ui/index.js";

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
  try {
    if (!draw || isHeard(binary)) await sendCommand(binary, method, params);
    draw?.();
    return true;
  } catch (error) {
    const help = error instanceof ApiFailure ? error.help : "";
    toast(error instanceof Error ? error.message : String(error), {
      tone: "bad",
      ...(help === "" ? {} : { body: help }),
    });
    return false;
  }
}
