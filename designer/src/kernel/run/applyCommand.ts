import type { CommandMap, CommandMethod } from "@penstock/codegen/contract";
import { sendCommand } from "../connection/commands.js";
import { toast } from "../ui/index.js";

/**
 * Brings a change into force in the running binary, then draws it. A refused change is not drawn:
 * what is drawn and what runs stay together, and the reason is shown. Resolves to whether it is in force.
 */
export async function applyLive<M extends CommandMethod>(
  binary: string,
  method: M,
  params: CommandMap[M]["params"],
  draw: () => void,
): Promise<boolean> {
  try {
    await sendCommand(binary, method, params);
    draw();
    return true;
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), { tone: "bad" });
    return false;
  }
}
